import { PageHeading } from '../parts/basics';

export function Tools() {
  return <PageHeading title="Tools" />;
}
