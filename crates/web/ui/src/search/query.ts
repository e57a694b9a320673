// The query as text: its terms, and how a click changes them. The server alone parses queries;
// this module follows its rules of quoting, so that a toggled term reads as if typed.

/** The fields of a query with what they mean. */
export const FIELDS: readonly (readonly [name: string, meaning: string, example: string])[] = [
  ['project', 'sessions of projects whose path contains this text', 'project:tidepool'],
  ['role', 'text with this role: user, assistant, thinking, tool_use, tool_result', 'role:user'],
  ['tool', 'calls of this tool and their results; * matches anything', 'tool:Bash'],
  ['model', 'answers of models whose name contains this text', 'model:opus'],
  ['is', 'error, prompt, agent, marked or recall', 'is:error'],
  ['since', 'on or after this date: YYYY-MM-DD, yesterday, 3d, 2w', 'since:2w'],
  ['until', 'on or before this date', 'until:yesterday'],
  ['branch', 'messages written on this git branch; * matches anything', 'branch:fix/*'],
  ['agent', 'messages of sub-agents with this type or id', 'agent:Explore'],
  ['file', 'sessions that read or changed a file whose path contains this text', 'file:login.rs'],
  ['title', 'sessions whose title contains this text', 'title:flaky'],
  ['session', 'the session with this id or the beginning of it', 'session:3f9c'],
  ['pr', 'sessions that created or mention this pull request', 'pr:17'],
  ['commit', 'sessions that made this commit', 'commit:8c41d02'],
];

const NAMES = new Set(FIELDS.map(([name]) => name));

/** A piece of a query, as typed. */
export interface Term {
  /** The whole piece: `-tool:"a b"`. */
  text: string;
  /** Its field, or an empty string for words. */
  field: string;
  value: string;
  isNot: boolean;
}

/** Splits a query into its terms. An unclosed quote runs to the end. */
export function termsOf(query: string): Term[] {
  const terms: Term[] = [];
  const piece = /(-(?=[\p{L}\p{N}"]))?(?:([a-z]+):(?=\S))?(?:"([^"]*)(?:"\*?|$)|(\S+))/gu;
  for (const match of query.matchAll(piece)) {
    const [text, minus, name, quoted, plain] = match;
    const field = name && NAMES.has(name) ? name : '';
    const value = quoted ?? plain ?? '';
    terms.push({ text, field, value: field || !name ? value : `${name}:${value}`, isNot: minus !== undefined });
  }
  return terms;
}

/** A term as one would type it. */
export function written(field: string, value: string, isNot = false): string {
  const isPlain = value !== '' && !/[\s"]/u.test(value);
  return `${isNot ? '-' : ''}${field}:${isPlain ? value : `"${value.replaceAll('"', '')}"`}`;
}

function joinTerms(terms: readonly string[]): string {
  return terms.join(' ').trim();
}

export function hasTerm(query: string, field: string, value: string): boolean {
  return termsOf(query).some(term => !term.isNot && isSame(term, field, value));
}

function isSame(term: Term, field: string, value: string): boolean {
  return term.field === field && term.value.toLowerCase() === value.replaceAll('"', '').toLowerCase();
}

/** Adds a term, or removes it if it is there. A field has one value at a time: all terms must match. */
export function toggled(query: string, field: string, value: string): string {
  const terms = termsOf(query);
  const isThere = terms.some(term => !term.isNot && isSame(term, field, value));
  // Several `is:` may hold at once; a block has one project, role, tool and model.
  const isSingle = field !== 'is';
  const kept = terms.filter(term => {
    if (term.field !== field) return true;
    if (isSame(term, field, value)) return false;
    return !isSingle || term.isNot;
  });
  return joinTerms([...kept.map(term => term.text), ...(isThere ? [] : [written(field, value)])]);
}

/** Excludes a value, or no longer. */
export function toggledNot(query: string, field: string, value: string): string {
  const terms = termsOf(query);
  const isThere = terms.some(term => term.isNot && isSame(term, field, value));
  const kept = terms.filter(term => !isSame(term, field, value)).map(term => term.text);
  return joinTerms([...kept, ...(isThere ? [] : [written(field, value, true)])]);
}

/** Sets the period of a query; empty values remove it. */
export function withPeriod(query: string, since: string, until: string): string {
  const kept = termsOf(query).filter(term => term.field !== 'since' && term.field !== 'until');
  return joinTerms([...kept.map(term => term.text), ...(since ? [written('since', since)] : []), ...(until ? [written('until', until)] : [])]);
}

/** The value of a field, or an empty string. */
export function valueIn(query: string, field: string): string {
  return termsOf(query).findLast(term => term.field === field && !term.isNot)?.value ?? '';
}

/** Replaces a word, as a suggestion for one without hits. */
export function withWord(query: string, word: string, by: string): string {
  const isIt = (term: Term) => !term.field && !term.isNot && term.value.toLowerCase().replace(/\*$/, '') === word.toLowerCase();
  return joinTerms(termsOf(query).map(term => (isIt(term) ? by : term.text)));
}

/** The term at the cursor, if it may be the beginning of a field: its name and the fields that fit. */
export function fieldsAt(query: string, cursor: number): { from: number; fields: typeof FIELDS } | undefined {
  const before = query.slice(0, cursor);
  const typed = /(?:^|\s)-?([a-z]+)$/.exec(before);
  const start = typed?.[1];
  if (!start) return undefined;
  const fields = FIELDS.filter(([name]) => name.startsWith(start));
  return fields.length > 0 ? { from: cursor - start.length, fields } : undefined;
}

/** What could be left out of a query that has no hits: the query without each of its conditions. */
export function relaxed(query: string): { without: string; query: string }[] {
  const terms = termsOf(query);
  if (terms.length < 2) return [];
  return terms
    .map((term, index) => ({ term, query: joinTerms(terms.filter((_, other) => other !== index).map(other => other.text)) }))
    .filter(({ term }) => term.field !== '' || term.value.includes(' ') || terms.filter(other => !other.field).length > 1)
    .filter(({ term }) => term.value !== 'OR' && term.value !== 'AND')
    .map(({ term, query }) => ({ without: term.text, query }));
}
