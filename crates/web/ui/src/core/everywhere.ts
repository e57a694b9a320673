// What all groups of pages have in common. Each of them imports this, so that the bundler puts it
// into one script and not into one for every combination of groups.

import '../parts/basics';
import '../parts/dialog';
import '../parts/later';
import './api';
import './events';
import './first';
import './format';
import './fragment';
import './keys';
import './router';
import './theme';
