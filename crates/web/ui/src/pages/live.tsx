import { PageHeading } from '../parts/basics';

export function Live() {
  return <PageHeading title="Live" />;
}
