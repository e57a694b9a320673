// Lanes of the session and its agents on a time axis. Dragging zooms, the minimap below moves;
// a click goes to the turn. Everything can be done by keys, and a table has the same numbers.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useAnswer } from '../core/api';
import { duration, moment } from '../core/format';
import { change, parameter } from '../core/router';
import type { LanesDocument } from '../schema';
import { ErrorNote } from '../parts/basics';
import type { Explorer } from './explorer';
import { LaneChart } from './lane_chart';
import { busyRanges, type Lane, lanesOf, timeByKind } from './lane_layout';
import { Minimap } from './minimap';
import { useWidth } from './timeline';
import { idleShare, isWhole, type Range, rangeFrom, rangeText, timeScale } from './zoom';


function LaneTable({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Lane</th>
          <th scope="col">Started</th>
          <th scope="col" class="r">
            Duration
          </th>
          <th scope="col" class="r">
            Model
          </th>
          <th scope="col" class="r">
            Tools
          </th>
          <th scope="col" class="r">
            Calls
          </th>
          <th scope="col" class="r">
            Errors
          </th>
        </tr>
      </thead>
      <tbody>
        {lanes.map(lane => {
          const times = timeByKind(lane);
          const calls = lane.spans.filter(span => span.kind === 'tool').reduce((sum, span) => sum + span.count, 0);
          return (
            <tr key={lane.agent}>
              <th scope="row">
                {lane.name} <span class="soft">{lane.description}</span>
              </th>
              <td>{moment(new Date(lane.from).toISOString())}</td>
              <td class="r">{duration(lane.to - lane.from)}</td>
              <td class="r">{duration(times.model)}</td>
              <td class="r">{duration(times.tool)}</td>
              <td class="r">{calls}</td>
              <td class="r">{lane.spans.filter(span => span.isError).length}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function Lanes({ explorer, toggle }: { explorer: Explorer; toggle: ComponentChildren }) {
  const { element, width } = useWidth<HTMLDivElement>();
  const skips = useSignal(true);
  const isTable = useSignal(false);
  const zoomed = rangeFrom(parameter('zoom'));
  const path = `sessions/${encodeURIComponent(explorer.id)}/lanes`;
  // Idle time that is left out makes room for finer spans than a pixel of the whole.
  const asked = width === 0 ? 0 : Math.min(Math.ceil(width / 400) * 400 * 3, 4000);
  const whole = useAnswer<LanesDocument>(asked ? path : null, { width: asked }, explorer.reload);
  const part = useAnswer<LanesDocument>(
    asked && zoomed ? path : null,
    zoomed ? { from: new Date(zoomed.from).toISOString(), to: new Date(zoomed.to).toISOString(), width: asked } : {},
    explorer.reload,
  );
  const all: Range | undefined = useMemo(() => {
    const from = Date.parse(whole.data?.from ?? '');
    const to = Date.parse(whole.data?.to ?? '');
    return from <= to ? { from, to: Math.max(to, from + 1000) } : undefined;
  }, [whole.data]);
  const wholeLanes = useMemo(() => (whole.data ? lanesOf(whole.data) : []), [whole.data]);
  const shown = zoomed && part.data ? part.data : whole.data;
  const lanes = useMemo(() => (shown ? lanesOf(shown) : []), [shown]);
  const busy = useMemo(() => busyRanges(wholeLanes), [wholeLanes]);
  const canSkip = !!all && idleShare(all, busy) > 0.3;
  const range = zoomed && all ? zoomed : all;
  const labels = width < 560 ? 0 : Math.min(Math.max(width * 0.18, 110), 220);
  const plot = Math.max(width - labels, 50);
  const scale = useMemo(() => range && timeScale(range, plot, canSkip && skips.value ? busy : []), [range?.from, range?.to, plot, busy, skips.value]);
  const zoom = (to: Range | undefined) => {
    const isAll = !to || !all || isWhole(to, all);
    change({ zoom: isAll ? '' : rangeText(to) }, { replaces: true });
  };
  useEffect(() => {
    // A range outside of the session shows nothing: leave it.
    if (zoomed && all && (zoomed.to < all.from || zoomed.from > all.to)) zoom(undefined);
  }, [all]);
  return (
    <div class="lanes" ref={element}>
      <div class="lanes-head">
        <h2>{toggle}</h2>
        <ul class="lane-legend" aria-label="Colours">
          <li class="k-model">model</li>
          <li class="k-tool">tools</li>
          <li class="k-error">errors</li>
          <li class="k-compaction">compaction</li>
        </ul>
        {whole.data && whole.data.total_lanes > whole.data.lanes.length && (
          <span class="soft">
            {whole.data.lanes.length} of {whole.data.total_lanes} lanes
          </span>
        )}
        <span class="spread" />
        {canSkip && (
          <button type="button" class="plain" aria-pressed={skips.value} onClick={() => (skips.value = !skips.value)} title="Idle time is drawn as a narrow gap">
            Skip idle time
          </button>
        )}
        {zoomed && (
          <button type="button" class="plain" onClick={() => zoom(undefined)}>
            Show all
          </button>
        )}
        <button type="button" class="plain" aria-pressed={isTable.value} onClick={() => (isTable.value = !isTable.value)}>
          Table
        </button>
      </div>
      {whole.error && !whole.data && <ErrorNote error={whole.error} retry={whole.reload} />}
      {range && all && scale && shown && (
        <>
          {isTable.value ? (
            <div class="x strip-table" tabIndex={0}>
              <LaneTable lanes={wholeLanes} />
            </div>
          ) : (
            <LaneChart explorer={explorer} lanes={lanes} marks={shown.marks} range={range} all={all} scale={scale} labels={labels} width={plot} onZoom={zoom} />
          )}
          <Minimap lanes={wholeLanes} marks={whole.data?.marks ?? []} all={all} range={range} width={plot} busy={canSkip && skips.value ? busy : []} onZoom={zoom} />
        </>
      )}
      {!shown && !whole.error && <div class="lanes-wait" />}
    </div>
  );
}
