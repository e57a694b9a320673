// Sessions and the tabs beside it.

import '../core/everywhere';
import { Marks } from '../pages/marks';
import { Plans } from '../pages/plans';
import { Prompts } from '../pages/prompts';
import { Sessions } from '../pages/sessions';
import type { Pages } from './index';

export const pages: Pages = {
  sessions: () => <Sessions />,
  prompts: () => <Prompts />,
  plans: () => <Plans />,
  marks: () => <Marks />,
};
