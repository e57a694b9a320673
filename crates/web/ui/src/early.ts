// Runs before anything is painted, as a small script of its own: the page appears in the chosen
// theme at once, and Home asks for its data while the scripts that show it are loaded.

import { showAppearance, storedDensity, storedTheme } from './core/appearance';
import { address, base } from './core/base';
import { requestEarly } from './core/early_request';

showAppearance(storedTheme(), storedDensity());
if (location.pathname === base) requestEarly(address('api/1/home'));
