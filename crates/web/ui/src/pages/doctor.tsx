import { PageHeading } from '../parts/basics';

export function Doctor() {
  return <PageHeading title="Doctor" />;
}
