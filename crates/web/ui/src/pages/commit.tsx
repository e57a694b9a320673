import { PageHeading } from '../parts/basics';

export function Commit(_: { hash: string }) {
  return <PageHeading title="Commit" />;
}
