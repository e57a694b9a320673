import { PageHeading } from '../parts/basics';

export function Archive() {
  return <PageHeading title="Archive" />;
}
