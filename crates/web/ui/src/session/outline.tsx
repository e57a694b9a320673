// The outline beside the conversation. It follows the reader, and keys move through it as through
// a tree: arrows, Home, End, Enter.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { address, sessionAddress } from '../core/base';
import { count, lastPart, money, shortPath } from '../core/format';
import { go } from '../core/router';
import { useVirtualRows } from '../parts/virtual_rows';
import type { Explorer } from './explorer';
import { outlineRows, type Row } from './outline_rows';

const ROW = 28;

function href(kind: 'file' | 'commit' | 'session', name: string): string {
  if (kind === 'file') return address('files', { path: name });
  if (kind === 'commit') return address(`commits/${encodeURIComponent(name)}`);
  return sessionAddress(name);
}

/** The row of the turn that is being read; a closed generation stands for its turns. */
function rowAt(rows: readonly Row[], turn: string, generation: number | undefined): number {
  const own = rows.findIndex(row => row.kind === 'turn' && row.turn.turn === turn);
  return own >= 0 ? own : rows.findIndex(row => row.kind === 'generation' && row.number === generation);
}

function RowContent({ row }: { row: Row }) {
  switch (row.kind) {
    case 'section':
      return (
        <>
          <span class="twist" aria-hidden="true">
            {row.isOpen ? '▾' : '▸'}
          </span>
          <b>{row.name}</b>
          <span class="soft number">{row.count}</span>
        </>
      );
    case 'generation':
      return (
        <>
          <span class="twist" aria-hidden="true">
            {row.isOpen ? '▾' : '▸'}
          </span>
          <span class="cut">Generation {row.number}</span>
          <span class="soft cut">{row.note}</span>
        </>
      );
    case 'turn': {
      const { turn } = row;
      return (
        <>
          <i class="number">{turn.turn}</i>
          <span class="cut">{turn.prompt || 'No prompt'}</span>
          {turn.mark !== null && <span class="accent" title="Marked">★</span>}
          {turn.agents.length > 0 && <span class="soft" title="Sub-agents">⤷{turn.agents.length}</span>}
          {turn.cache_miss && <span class="warn" title="Cache miss">▼</span>}
          {turn.errors > 0 && <span class="bad" title="Errors">✗{turn.errors}</span>}
        </>
      );
    }
    case 'branch':
      return (
        <>
          <span class="soft">⎇</span>
          <span class="cut">{row.name}</span>
          <span class="soft cut">{row.note}</span>
        </>
      );
    case 'agent':
      return (
        <>
          <span class={row.isBad ? 'bad' : 'soft'}>⤷</span>
          <span class="cut">{row.name}</span>
          <span class="soft cut">{row.note}</span>
        </>
      );
    default: {
      const isPath = row.key.startsWith('file ');
      return (
        <>
          <span class="cut">{isPath ? lastPart(row.name) : row.name}</span>
          <span class="soft number">{row.note}</span>
        </>
      );
    }
  }
}

function tip(row: Row): string {
  if (row.kind === 'turn') {
    const { turn } = row;
    return `${turn.prompt}\n${count(turn.output_tokens)} tokens out · ${money(turn.cost_usd)}${turn.calls ? ` · ${turn.calls} calls` : ''}`;
  }
  if (row.kind === 'section' || row.kind === 'generation') return '';
  return `${row.key.startsWith('file ') ? shortPath(row.name) : row.name}\n${row.note}`;
}

const level = (row: Row): number => (row.kind === 'section' ? 1 : row.kind === 'agent' ? 2 + row.depth : 2);

export function Outline({ explorer, onGo }: { explorer: Explorer; onGo?: () => void }) {
  const outline = explorer.outline.value;
  const closed = useSignal<ReadonlySet<string>>(new Set(['errors', 'files']));
  const chosen = useSignal('');
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => (outline ? outlineRows(outline, closed.value, href) : []), [outline, closed.value]);
  const virtualizer = useVirtualRows(scroller, { count: rows.length, height: ROW, key: index => rows[index]?.key ?? index, spare: 10 });
  const at = rowAt(rows, explorer.at.value.turn, explorer.turn.value?.generation);
  useEffect(() => {
    // While somebody moves through the outline, it does not run away.
    if (at >= 0 && !scroller.current?.contains(document.activeElement)) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at]);
  const items = virtualizer.getVirtualItems();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    element.style.height = `${virtualizer.getTotalSize()}px`;
    for (const child of element.children) {
      const row = child as HTMLElement;
      row.style.transform = `translateY(${Number(row.dataset.index) * ROW}px)`;
      row.style.paddingLeft = `${0.4 + (Number(row.getAttribute('aria-level')) - 1) * 0.7}rem`;
    }
  });
  if (!outline) return <p class="soft loading">Loading…</p>;
  const selected = rows.findIndex(row => row.key === chosen.value);

  const toggle = (key: string, isOpen: boolean) => {
    const next = new Set(closed.value);
    if (isOpen) next.delete(key);
    else next.add(key);
    closed.value = next;
  };
  const perform = (row: Row) => {
    switch (row.kind) {
      case 'section':
      case 'generation':
        toggle(row.key, !row.isOpen);
        return;
      case 'turn':
        explorer.select(undefined);
        if (!explorer.turns().some(other => other.turn === row.turn.turn && other.part === row.part)) explorer.setView({ part: 'main' });
        void explorer.goTo({ part: row.part, turn: row.turn.turn });
        break;
      case 'branch':
        explorer.setView({ part: explorer.view.value.part === row.part ? 'main' : row.part });
        break;
      case 'agent':
        void explorer.goToAgent(row.id);
        break;
      default:
        if (row.turn) void explorer.goTo({ part: 'main', turn: row.turn });
        else if (row.href) go(row.href);
    }
    onGo?.();
  };
  const choose = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    chosen.value = row.key;
    virtualizer.scrollToIndex(rows.indexOf(row), { align: 'auto' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const here = selected >= 0 ? selected : at;
    const row = rows[here];
    const moves: Record<string, () => void> = {
      ArrowDown: () => choose(here + 1),
      ArrowUp: () => choose(here - 1),
      PageDown: () => choose(here + 12),
      PageUp: () => choose(here - 12),
      Home: () => choose(0),
      End: () => choose(rows.length - 1),
      ArrowRight: () => row && 'isOpen' in row && toggle(row.key, true),
      ArrowLeft: () => {
        if (row && 'isOpen' in row && row.isOpen) toggle(row.key, false);
        else choose(rows.findLastIndex((other, index) => index < here && other.kind === 'section'));
      },
      Enter: () => row && perform(row),
      ' ': () => row && perform(row),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const active = rows[selected >= 0 ? selected : at];
  return (
    <div
      class="outline"
      ref={scroller}
      role="tree"
      aria-label="Outline"
      tabIndex={0}
      aria-activedescendant={active && items.some(item => item.key === active.key) ? `outline-${rows.indexOf(active)}` : undefined}
      onKeyDown={onKeyDown}
      onBlur={() => (chosen.value = '')}
    >
      <div class="outline-list" ref={list} role="presentation">
        {items.map(item => {
          const row = rows[item.index];
          if (!row) return null;
          const isHere = item.index === at || (row.kind === 'branch' && row.part === explorer.view.value.part);
          return (
            <div
              key={item.key}
              id={`outline-${item.index}`}
              data-index={item.index}
              class={`outline-row ${row.kind}`}
              role="treeitem"
              aria-level={level(row)}
              aria-expanded={'isOpen' in row ? row.isOpen : undefined}
              aria-current={isHere ? 'true' : undefined}
              aria-selected={item.index === selected}
              title={tip(row)}
              onClick={() => perform(row)}
            >
              <RowContent row={row} />
              {row.kind === 'link' && row.href && row.turn && (
                <a
                  class="outline-open"
                  href={row.href}
                  tabIndex={-1}
                  aria-label={`Open ${row.name}`}
                  title="Open its page"
                  onClick={event => event.stopPropagation()}
                >
                  ↗
                </a>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
