// How the page looks in this browser: theme and density, as they were chosen. They are in local
// storage, below a name that contains the base, and nowhere else.

import { base } from './base';

const THEMES = ['system', 'light', 'dark'] as const;
const DENSITIES = ['comfortable', 'compact'] as const;
export type Theme = (typeof THEMES)[number];
export type Density = (typeof DENSITIES)[number];

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

function stored<T extends string>(name: string, known: readonly T[], usual: T): T {
  const value = storedText(name) as T | null;
  return value && known.includes(value) ? value : usual;
}

export const storedTheme = () => stored<Theme>('theme', THEMES, 'system');
export const storedDensity = () => stored<Density>('density', DENSITIES, 'comfortable');

export function showAppearance(theme: Theme, density: Density): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.density = density;
}
