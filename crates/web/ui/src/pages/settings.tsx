import { PageHeading } from '../parts/basics';

export function Settings() {
  return <PageHeading title="Settings" />;
}
