import { PageHeading } from '../parts/basics';

export function Sessions() {
  return <PageHeading title="Sessions" />;
}
