import { PageHeading } from '../parts/basics';

export function Files() {
  return <PageHeading title="Files" />;
}
