import { PageHeading } from '../parts/basics';

export function Home() {
  return <PageHeading title="Home" />;
}
