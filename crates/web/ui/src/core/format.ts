// Numbers, times and names as people read them, alike on every page and as the command line
// prints them.

import { state } from './state';

/** `1.2M`, `34.5k`, `678`. */
export function count(number: number | null | undefined): string {
  if (number === null || number === undefined) return '';
  const absolute = Math.abs(number);
  for (const [size, unit] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (absolute >= size) return `${trimmed(number / size)}${unit}`;
  }
  return String(Math.round(number));
}

function trimmed(number: number): string {
  return Math.abs(number) >= 100 ? number.toFixed(0) : number.toFixed(1);
}

/** `1,234,567`. */
export function whole(number: number | null | undefined): string {
  return number === null || number === undefined ? '' : number.toLocaleString('en-US');
}

/** US dollars from the decimal text or number of a document; `?` if a price is unknown. */
export function money(amount: string | number | null | undefined): string {
  if (amount === null || amount === undefined) return '?';
  const number = Number(amount);
  if (!Number.isFinite(number)) return '?';
  if (number !== 0 && Math.abs(number) < 0.01) return `$${number.toPrecision(1)}`;
  return `$${number.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** `1.2 MB`. */
export function bytes(number: number | null | undefined): string {
  if (number === null || number === undefined) return '';
  for (const [size, unit] of [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const) {
    if (number >= size) return `${trimmed(number / size)} ${unit}`;
  }
  return `${number} B`;
}

/** `2h 5m`, `25m`, `1m 28s`, `42s`, `0.3s`. */
export function duration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return '';
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  if (seconds < 60) return `${Math.round(seconds)}s`;
  // As the server writes them into conversations.
  if (seconds < 600) return `${Math.floor(seconds / 60)}m ${Math.floor(seconds % 60)}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h ${minutes % 60}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** A share; one that is too small for a whole per cent is not nothing. */
export function percent(part: number, all: number): string {
  const share = all > 0 ? Math.round((100 * part) / all) : 0;
  return all > 0 ? (share === 0 && part > 0 ? '<1%' : `${share}%`) : '';
}

/** `1 turn`, `3 turns`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${whole(number)} ${number === 1 ? one : many}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const zone = state.value.zone;
  const key = `${zone} ${JSON.stringify(options)}`;
  let known = formats.get(key);
  if (!known) {
    try {
      known = new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: zone });
    } catch {
      known = new Intl.DateTimeFormat('sv-SE', options);
    }
    formats.set(key, known);
  }
  return known;
}

/** `2026-01-02 03:04:05` in the zone of the server. */
export function moment(time: string | null | undefined): string {
  if (!time) return '';
  const parsed = new Date(time);
  if (Number.isNaN(parsed.getTime())) return time;
  return format({ dateStyle: 'short', timeStyle: 'medium' }).format(parsed);
}

/** `03:04`. */
export function clock(time: string | null | undefined): string {
  return moment(time).slice(11, 16);
}

/** `2026-01-02`. */
export function day(time: string | null | undefined): string {
  return moment(time).slice(0, 10);
}

/** `20m`, `3h`, `yesterday`, `2d`, `2026-01-02`. */
export function ago(time: string | null | undefined, now = Date.now()): string {
  if (!time) return '';
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  if (Number.isNaN(minutes)) return '';
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`;
  const days = Math.floor(minutes / (24 * 60));
  if (days < 14) return `${days}d`;
  return day(time);
}

/** A folder with `~` for the home folder. */
export function shortPath(path: string | null | undefined): string {
  if (!path) return '';
  const home = state.value.home_folder;
  if (home && (path === home || path.startsWith(`${home}/`))) return `~${path.slice(home.length)}`;
  return path;
}

/** The last part of a path. */
export function lastPart(path: string | null | undefined): string {
  return (
    path
      ?.replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .pop() ?? ''
  );
}

/** The name of a project among others: with the folder above it where two have the same name. */
export function projectName(path: string, all: readonly (string | null)[]): string {
  const name = lastPart(path) || path;
  const isAlone = all.filter(other => lastPart(other) === name).length < 2;
  return isAlone ? name : path.split(/[/\\]/).slice(-2).join('/');
}

/** The first eight characters of an id; those of other apps begin with the app's name and a time. */
export function shortId(id: string): string {
  const colon = id.indexOf(':');
  return colon < 0 ? id.slice(0, 8) : id.slice(0, colon + 14);
}

/** The app that the id of a session names: `codex` of `codex:019f`. Ids of Claude Code name none. */
export function appOf(id: string): string {
  const colon = id.indexOf(':');
  return colon < 0 ? 'claude' : id.slice(0, colon);
}

/** A model without what all have in common: `opus-4-8`. The day of its release is left out. */
export function shortModel(model: string): string {
  return model.replace(/^claude-/, '').replace(/-20\d{6}$/, '');
}
