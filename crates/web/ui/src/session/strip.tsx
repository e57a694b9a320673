// The context window and the cost of every turn, with cache misses and compactions.

import { useSignal } from '@preact/signals';
import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter } from 'd3-shape';
import { useMemo, useRef } from 'preact/hooks';
import { count, counted, duration, money, whole } from '../core/format';
import type { Explorer } from './explorer';
import type { OutlineTurn } from './outline_data';
import { bins, type Bin } from './strip_layout';
import { useWidth } from './timeline';

const CONTEXT = 40;
const COST = 24;
/** Columns of short sessions are not wider. */
const WIDEST = 96;
const HEIGHT = CONTEXT + COST + 16;

function described(bin: Bin): string {
  const turns = bin.turns.length === 1 ? `Turn ${bin.turns[0]?.turn}` : `Turns ${bin.turns[0]?.turn}–${bin.turns.at(-1)?.turn}`;
  const parts = [turns, bin.context ? `window ${count(bin.context)}` : '', money(bin.cost), bin.misses ? counted(bin.misses, 'cache miss', 'cache misses') : '', bin.errors ? counted(bin.errors, 'error') : ''];
  return parts.filter(Boolean).join(' · ');
}

/** The window of the model that was given this many tokens, if it is known. */
function ofWindow(turns: readonly OutlineTurn[], peak: number): string {
  const limit = turns.find(turn => turn.context_tokens === peak)?.context_limit;
  return limit ? ` of ${whole(limit)}` : '';
}

export function Strip({ explorer }: { explorer: Explorer }) {
  const { element, width: room } = useWidth<HTMLDivElement>();
  const outline = explorer.outline.value;
  const hovered = useSignal(-1);
  const isTable = useSignal(false);
  const plot = useRef<SVGSVGElement>(null);
  const groups = useMemo(() => (outline && room ? bins(outline, Math.max(Math.floor(room / 3), 10)) : []), [outline, room]);
  const width = Math.min(room, groups.length * WIDEST);
  const shapes = useMemo(() => {
    const x = scaleLinear([0, Math.max(groups.length, 1)], [0, width]);
    const peak = Math.max(...groups.map(bin => bin.context), 1);
    const y = scaleLinear([0, peak], [CONTEXT, 2]);
    const costs = scaleLinear([0, Math.max(...groups.map(bin => bin.cost ?? 0), 1e-9)], [0, COST - 2]);
    // A turn without an answer of the model leaves the window as it was.
    let before = 0;
    const points = groups.map((bin, at) => {
      before = bin.context || before;
      return { at, value: before };
    });
    const last = points.at(-1);
    if (last) points.push({ at: last.at + 1, value: last.value });
    const context = area<{ at: number; value: number }>()
      .x(point => x(point.at))
      .y0(CONTEXT)
      .y1(point => y(point.value))
      .curve(curveStepAfter)(points);
    const gap = width / Math.max(groups.length, 1) > 5 ? 1 : 0;
    const bars = groups
      .map((bin, at) => {
        const height = costs(bin.cost ?? 0);
        return height > 0 ? `M${x(at).toFixed(1)} ${(HEIGHT - height).toFixed(1)}H${(x(at + 1) - gap).toFixed(1)}V${HEIGHT}H${x(at).toFixed(1)}z` : '';
      })
      .join('');
    const middle = (at: number) => ((x(at) + x(at + 1)) / 2).toFixed(1);
    const misses = groups.map((bin, at) => (bin.misses ? `M${middle(at)} ${CONTEXT + 12}l-4 -8h8z` : '')).join('');
    const compactions = groups.map((bin, at) => (bin.startsGeneration ? `M${x(at).toFixed(1)} 0V${HEIGHT}` : '')).join('');
    return { x, peak, context, bars, misses, compactions };
  }, [groups, width]);
  if (!outline || outline.turns.length === 0) return <div class="strip" ref={element} />;
  const here = groups.findIndex(bin => bin.turns.some(turn => turn.turn === explorer.at.value.turn));
  const at = hovered.value >= 0 ? hovered.value : -1;
  const visit = (index: number) => {
    const turn = groups[index]?.turns[0]?.turn;
    explorer.select(undefined);
    if (turn) void explorer.goTo({ part: 'main', turn });
  };
  const indexAt = (event: PointerEvent | MouseEvent) => {
    const box = plot.current?.getBoundingClientRect();
    return Math.min(Math.max(Math.floor(shapes.x.invert(event.clientX - (box?.left ?? 0))), 0), groups.length - 1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = at >= 0 ? at : Math.max(here, 0);
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: groups.length - 1 }[event.key];
    if (to !== undefined) hovered.value = Math.min(Math.max(to, 0), groups.length - 1);
    else if (event.key === 'Enter') visit(from);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shown = groups[at];
  return (
    <div class="strip" ref={element}>
      <div class="lanes-head">
        <h2>Context and cost by turn</h2>
        {!shown && (
          <ul class="lane-legend" aria-label="Colours">
            <li class="k-context" title={`At most ${whole(shapes.peak)} tokens${ofWindow(outline.turns, shapes.peak)}`}>
              window, to {count(shapes.peak)}
            </li>
            <li class="k-cost">cost</li>
            <li class="k-miss">cache miss</li>
            {outline.generations.length > 1 && <li class="k-compaction">compaction</li>}
          </ul>
        )}
        <span class="strip-note number" role="status">
          {shown ? described(shown) : ''}
        </span>
        <span class="spread" />
        <button type="button" class="plain" aria-pressed={isTable.value} onClick={() => (isTable.value = !isTable.value)}>
          Table
        </button>
      </div>
      {width > 0 && !isTable.value && (
        <svg
          ref={plot}
          class="strip-plot"
          width={width}
          height={HEIGHT}
          role="slider"
          aria-label="Context window and cost by turn. Left and right move, Enter goes to the turn."
          aria-valuemin={1}
          aria-valuemax={groups.length}
          aria-valuenow={(at >= 0 ? at : Math.max(here, 0)) + 1}
          aria-valuetext={shown ? described(shown) : ''}
          tabIndex={0}
          onPointerMove={event => (hovered.value = indexAt(event))}
          onPointerLeave={() => (hovered.value = -1)}
          onClick={event => visit(indexAt(event))}
          onKeyDown={onKeyDown}
          onBlur={() => (hovered.value = -1)}
        >
          {here >= 0 && <rect class="lane-here" x={shapes.x(here)} y={0} width={Math.max(shapes.x(1) - shapes.x(0), 2)} height={HEIGHT} />}
          <path class="k-context" d={shapes.context ?? ''} />
          <path class="k-cost" d={shapes.bars} />
          <path class="strip-compactions" d={shapes.compactions} />
          <path class="k-miss" d={shapes.misses} />
          {at >= 0 && <rect class="strip-at" x={shapes.x(at)} y={0} width={Math.max(shapes.x(1) - shapes.x(0), 2)} height={HEIGHT} />}
        </svg>
      )}
      {isTable.value && <TurnTable explorer={explorer} />}
    </div>
  );
}

/** Rows that the table shows at once. */
const ROWS = 100;

function TurnTable({ explorer }: { explorer: Explorer }) {
  const page = useSignal(0);
  const turns = explorer.outline.value?.turns ?? [];
  const pages = Math.ceil(turns.length / ROWS);
  return (
    <>
      <div class="x strip-table" tabIndex={0}>
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col">Prompt</th>
              {['Window', 'Tokens out', 'Cost', 'Duration', 'Calls', 'Errors'].map(name => (
                <th key={name} scope="col" class="r">
                  {name}
                </th>
              ))}
              <th scope="col">Cache</th>
            </tr>
          </thead>
          <tbody>
            {turns.slice(page.value * ROWS, (page.value + 1) * ROWS).map(turn => (
              <tr key={turn.turn}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => void explorer.goTo({ part: 'main', turn: turn.turn })}>
                    {turn.turn}
                  </button>
                </th>
                <td class="strip-prompt">{turn.prompt}</td>
                <td class="r">{whole(turn.context_tokens)}</td>
                <td class="r">{whole(turn.output_tokens)}</td>
                <td class="r">{money(turn.cost_usd)}</td>
                <td class="r">{duration(turn.duration_ms)}</td>
                <td class="r">{turn.calls}</td>
                <td class="r">{turn.errors}</td>
                <td>{turn.cache_miss ? 'miss' : ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <p class="strip-pages">
          <button type="button" disabled={page.value === 0} onClick={() => page.value--}>
            Previous
          </button>
          <span class="soft">
            {page.value + 1} of {pages}
          </span>
          <button type="button" disabled={page.value >= pages - 1} onClick={() => page.value++}>
            Next
          </button>
        </p>
      )}
    </>
  );
}
