// Theme and density, as they are now.

import { effect, signal } from '@preact/signals';
import { showAppearance, store, storedDensity, storedTheme } from './appearance';

export { type Density, store, storedText, type Theme } from './appearance';

export const theme = signal(storedTheme());
export const density = signal(storedDensity());

effect(() => {
  showAppearance(theme.value, density.value);
  store('theme', theme.value);
  store('density', density.value);
});

/** Switches between light and dark. */
export function toggleTheme(): void {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  theme.value = isDark ? 'light' : 'dark';
}
