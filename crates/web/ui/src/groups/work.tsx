// What sessions do and did: tools, files, commits, and what runs now.

import '../core/everywhere';
import { Commit } from '../pages/commit';
import { Files } from '../pages/files';
import { Live } from '../pages/live';
import { Tools } from '../pages/tools';
import type { Pages } from './index';

export const pages: Pages = {
  tools: () => <Tools />,
  files: () => <Files />,
  commits: ([, hash = '']) => <Commit key={hash} hash={hash} />,
  live: () => <Live />,
};
