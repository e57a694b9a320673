// Home.

import '../core/everywhere';
import { Home } from '../pages/home';
import type { Pages } from './index';

export const pages: Pages = {
  '': () => <Home />,
};
