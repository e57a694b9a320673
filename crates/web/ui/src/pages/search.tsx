import { PageHeading } from '../parts/basics';

export function Search() {
  return <PageHeading title="Search" />;
}
