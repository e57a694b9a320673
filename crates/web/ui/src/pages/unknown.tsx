// An address that names no page.

import { address } from '../core/base';
import { Empty, PageHeading } from '../parts/basics';

export function Unknown() {
  return (
    <>
      <PageHeading title="Not found" />
      <Empty title="There is no such page.">
        <a href={address('')}>Go to the home page</a>
      </Empty>
    </>
  );
}
