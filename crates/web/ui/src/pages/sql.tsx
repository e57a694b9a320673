import { PageHeading } from '../parts/basics';

export function Sql() {
  return <PageHeading title="Sql" />;
}
