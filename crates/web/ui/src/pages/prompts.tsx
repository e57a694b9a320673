import { PageHeading } from '../parts/basics';

export function Prompts() {
  return <PageHeading title="Prompts" />;
}
