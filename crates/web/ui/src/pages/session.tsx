import { PageHeading } from '../parts/basics';

export function Session(_: { id: string; agent: string }) {
  return <PageHeading title="Session" />;
}
