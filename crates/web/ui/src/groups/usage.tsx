// Usage.

import '../core/everywhere';
import { Usage } from '../pages/usage';
import type { Pages } from './index';

export const pages: Pages = {
  usage: () => <Usage />,
};
