// The stores, the archive and the program itself.

import '../core/everywhere';
import { Archive } from '../pages/archive';
import { Doctor } from '../pages/doctor';
import { Settings } from '../pages/settings';
import { Sql } from '../pages/sql';
import type { Pages } from './index';

export const pages: Pages = {
  archive: () => <Archive />,
  doctor: () => <Doctor />,
  sql: () => <Sql />,
  settings: () => <Settings />,
};
