// Settings of this browser: theme and density. They are in local storage, below a name that
// contains the base, and nowhere else.

import { effect, signal } from '@preact/signals';
import { base } from './base';

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'comfortable' | 'compact';

function stored<T extends string>(name: string, known: readonly T[], usual: T): T {
  try {
    const value = localStorage.getItem(base + name) as T | null;
    return value && known.includes(value) ? value : usual;
  } catch {
    return usual;
  }
}

/** Stores a small setting of this browser; without storage it lasts as long as the page. */
export function store(name: string, value: string): void {
  try {
    localStorage.setItem(base + name, value);
  } catch {
    // Private windows may refuse.
  }
}

/** A small setting of this browser. */
export function storedText(name: string): string | null {
  try {
    return localStorage.getItem(base + name);
  } catch {
    return null;
  }
}

export const theme = signal(stored<Theme>('theme', ['system', 'light', 'dark'], 'system'));
export const density = signal(stored<Density>('density', ['comfortable', 'compact'], 'comfortable'));

effect(() => {
  const root = document.documentElement;
  if (theme.value === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme.value;
  root.dataset.density = density.value;
  store('theme', theme.value);
  store('density', density.value);
});

/** Switches between light and dark. */
export function toggleTheme(): void {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  theme.value = isDark ? 'light' : 'dark';
}
