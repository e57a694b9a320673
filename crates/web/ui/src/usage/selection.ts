// What the page shows, read from the URL.

import type { Bucket } from '../charts/calendar';
import type { Parameters } from '../core/base';
import { day } from '../core/format';
import { parameter } from '../core/router';
import { written } from '../search/query';
import { bucketOfPeriod, type Period, periodBefore, periodOf } from './period';
import type { Unit } from './rows';

/** Dimensions that rows can be filtered by. */
export const FILTERS = ['project', 'model', 'branch', 'agent', 'tool'] as const;
export type Filter = (typeof FILTERS)[number];

export const DIMENSIONS: readonly (readonly [key: string, name: string])[] = [
  ['project', 'Project'],
  ['model', 'Model'],
  ['session', 'Session'],
  ['agent', 'Agent'],
  ['skill', 'Skill'],
  ['tool', 'Tool'],
  ['mcp', 'MCP server'],
  ['branch', 'Branch'],
  ['worktree', 'Folder'],
  ['plugin', 'Plugin'],
  ['effort', 'Effort'],
  ['entrypoint', 'Started by'],
  ['version', 'Version'],
];

export const STACKS: readonly (readonly [key: string, name: string])[] = [
  ['model', 'model'],
  ['project', 'project'],
  ['agent', 'agent'],
  ['skill', 'skill'],
  ['tool', 'tool'],
  ['mcp', 'MCP server'],
  ['branch', 'branch'],
  ['none', 'nothing'],
];

export interface Selection {
  today: string;
  period: Period;
  before: Period | undefined;
  bucket: Bucket;
  /** The dimension that bars are stacked by; empty: none. */
  stack: string;
  unit: Unit;
  /** The dimension of the breakdown. */
  by: string;
  filters: Partial<Record<Filter, string>>;
  /** Parameters of requests: the period and the filters. */
  parameters: Parameters;
}

function oneOf(value: string, known: readonly (readonly [string, string])[], usual: string): string {
  return known.some(([key]) => key === value) ? value : usual;
}

/** The selection that the URL names. */
export function readSelection(): Selection {
  const today = day(new Date().toISOString());
  const period = periodOf(parameter('period'), parameter('since'), parameter('until'), today);
  const filters = Object.fromEntries(FILTERS.map(name => [name, parameter(name)]).filter(([, value]) => value)) as Partial<Record<Filter, string>>;
  const stack = oneOf(parameter('stack'), STACKS, 'model');
  return {
    today,
    period,
    before: periodBefore(period),
    bucket: bucketOfPeriod(period, parameter('bucket')),
    stack: stack === 'none' ? '' : stack,
    unit: oneOf(
      parameter('unit'),
      [
        ['tokens', ''],
        ['calls', ''],
      ],
      'cost',
    ) as Unit,
    by: oneOf(parameter('by'), DIMENSIONS, 'project'),
    filters,
    parameters: { ...filters, since: period.since, until: period.until },
  };
}

/** The query of the Sessions page for a part of the selection. */
export function sessionsQuery(selection: Selection, more: Partial<Record<string, string>> = {}): string {
  const { since, until } = selection.period;
  const terms = { ...selection.filters, since, until, ...more };
  return Object.entries(terms)
    .filter((term): term is [string, string] => !!term[1])
    .map(([field, value]) => written(field, value))
    .join(' ');
}
