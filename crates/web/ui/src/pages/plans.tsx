import { PageHeading } from '../parts/basics';

export function Plans() {
  return <PageHeading title="Plans" />;
}
