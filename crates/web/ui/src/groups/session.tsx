// The page of a session or of one of its agents.

import '../core/everywhere';
import { Session } from '../pages/session';
import type { Pages } from './index';

export const pages: Pages = {
  s: ([, id = '', kind = '', agent = '']) => <Session key={`${id} ${agent}`} id={id} agent={kind === 'a' ? agent : ''} />,
};
