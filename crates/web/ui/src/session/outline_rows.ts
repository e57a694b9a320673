// The outline as rows of equal height, so that only those on the screen need elements.

import { group } from 'd3-array';
import type { Outline, OutlineTurn } from './outline_data';

export type Section = 'turns' | 'agents' | 'errors' | 'files' | 'plans' | 'commits' | 'relatives';

export type Row =
  | { kind: 'section'; key: string; section: Section; name: string; count: number; isOpen: boolean }
  | { kind: 'generation'; key: string; number: number; note: string; isOpen: boolean }
  | { kind: 'turn'; key: string; part: string; turn: OutlineTurn }
  | { kind: 'branch'; key: string; part: string; name: string; note: string }
  | { kind: 'agent'; key: string; id: string; depth: number; name: string; note: string; turn: string | undefined; isBad: boolean }
  | { kind: 'link'; key: string; name: string; note: string; turn: string | null; href?: string };

/** The names of rows that are closed. */
export type Closed = ReadonlySet<string>;

const NAMES: Record<Section, string> = {
  turns: 'Turns',
  agents: 'Agents',
  errors: 'Errors',
  files: 'Files changed',
  plans: 'Plans',
  commits: 'Commits',
  relatives: 'Related sessions',
};

const REASONS: Record<string, string> = { edit: 'edited', rewind: 'rewound', retry: 'retried' };

/** The rows of an outline. `href` gives the addresses of files, commits and sessions. */
export function outlineRows(outline: Outline, closed: Closed, href: (kind: 'file' | 'commit' | 'session', name: string) => string): Row[] {
  const rows: Row[] = [];
  const section = (section: Section, count: number, add: () => void) => {
    if (count === 0) return;
    const isOpen = !closed.has(section);
    rows.push({ kind: 'section', key: section, section, name: NAMES[section], count, isOpen });
    if (isOpen) add();
  };
  section('turns', outline.turns.length, () => turnRows(outline, closed, rows));
  section('agents', outline.agents.length, () => {
    const known = new Map(outline.agents.map(agent => [agent.id, agent]));
    for (const agent of outline.agents) {
      let depth = 0;
      for (let at = known.get(agent.parent_agent_id ?? ''); at && depth < 6; at = known.get(at.parent_agent_id ?? '')) depth++;
      const name = agent.description || agent.type || agent.id;
      const isBad = agent.errors > 0 || agent.status === 'failed';
      rows.push({ kind: 'agent', key: `agent ${agent.id}`, id: agent.id, depth, name, note: agent.type ?? '', turn: agent.turn, isBad });
    }
  });
  const failed = outline.turns.filter(turn => turn.errors > 0);
  section(
    'errors',
    failed.reduce((sum, turn) => sum + turn.errors, 0),
    () => {
      for (const turn of failed) {
        const note = turn.errors === 1 ? '1 error' : `${turn.errors} errors`;
        rows.push({ kind: 'link', key: `error ${turn.turn}`, name: `${turn.turn} ${turn.prompt}`, note, turn: turn.turn });
      }
    },
  );
  section('files', outline.files.length, () => {
    for (const file of outline.files) {
      const note = `+${file.added} −${file.removed}`;
      rows.push({ kind: 'link', key: `file ${file.path}`, name: file.path, note, turn: file.turns[0] ?? null, href: href('file', file.path) });
    }
  });
  section('plans', outline.plans.length, () => {
    outline.plans.forEach((plan, at) => {
      rows.push({ kind: 'link', key: `plan ${at}`, name: plan.title, note: plan.turn ? `turn ${plan.turn}` : '', turn: plan.turn });
    });
  });
  section('commits', outline.commits.length, () => {
    for (const commit of outline.commits) {
      const name = commit.subject ?? commit.hash;
      const to = href('commit', commit.hash);
      rows.push({ kind: 'link', key: `commit ${commit.hash} ${commit.turn}`, name, note: commit.hash.slice(0, 8), turn: commit.turn, href: to });
    }
  });
  section('relatives', outline.relatives.length, () => {
    for (const relative of outline.relatives) {
      const name = relative.title ?? relative.session_id;
      const to = href('session', relative.session_id);
      rows.push({ kind: 'link', key: `relative ${relative.session_id} ${relative.relation}`, name, note: relative.relation, turn: null, href: to });
    }
  });
  return rows;
}

function turnRows(outline: Outline, closed: Closed, rows: Row[]): void {
  const hasGenerations = outline.generations.length > 1;
  let generation = -1;
  let isOpen = true;
  const branches = group(outline.branches, branch => branch.before_turn ?? '');
  const orphans = group(outline.orphans, orphan => orphan.before_turn ?? '');
  const aside = (before: string) => {
    for (const branch of branches.get(before) ?? []) {
      const part = `b${branch.number}`;
      const note = `${REASONS[branch.reason] ?? branch.reason}, ${branch.messages} messages`;
      rows.push({ kind: 'branch', key: part, part, name: branch.prompt || `Branch ${branch.number}`, note });
    }
    for (const orphan of orphans.get(before) ?? []) {
      const part = `o${orphan.number}`;
      rows.push({ kind: 'branch', key: part, part, name: orphan.prompt || `Orphaned segment ${orphan.number}`, note: `orphaned, ${orphan.messages} messages` });
    }
  };
  for (const turn of outline.turns) {
    if (hasGenerations && turn.generation !== generation) {
      generation = turn.generation;
      const known = outline.generations.find(other => other.number === generation);
      const key = `generation ${generation}`;
      isOpen = !closed.has(key);
      rows.push({ kind: 'generation', key, number: generation, note: known?.trigger ? `compacted, ${known.trigger}` : '', isOpen });
    }
    if (!isOpen) continue;
    aside(turn.turn);
    rows.push({ kind: 'turn', key: `turn ${turn.turn}`, part: 'main', turn });
  }
  const last = outline.turns.at(-1)?.turn;
  const known = new Set(outline.turns.map(turn => turn.turn));
  for (const before of new Set([...branches.keys(), ...orphans.keys()])) if (!known.has(before) || last === undefined) aside(before);
}
