import { PageHeading } from '../parts/basics';

export function Usage() {
  return <PageHeading title="Usage" />;
}
