import { PageHeading } from '../parts/basics';

export function Marks() {
  return <PageHeading title="Marks" />;
}
