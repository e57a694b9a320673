// Search.

import '../core/everywhere';
import { Search } from '../pages/search';
import type { Pages } from './index';

export const pages: Pages = {
  search: () => <Search />,
};
