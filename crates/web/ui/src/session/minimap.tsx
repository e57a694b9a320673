// All of a session's time in a few pixels, with a frame around what the lanes show. The frame can
// be moved and drawn anew.

import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { LanesDocument } from '../schema';
import { type Lane, spansPath } from './lane_layout';
import { isWhole, moved, type Range, timeScale, within, zoomAround } from './zoom';

const HEIGHT = 22;

interface MinimapProps {
  lanes: readonly Lane[];
  marks: LanesDocument['marks'];
  all: Range;
  range: Range;
  width: number;
  busy: readonly Range[];
  onZoom: (range: Range | undefined) => void;
}

type Dragging = { kind: 'move' | 'draw' | 'left' | 'right'; x: number; range: Range };

export function Minimap({ lanes, marks, all, range, width, busy, onZoom }: MinimapProps) {
  const plot = useRef<SVGSVGElement>(null);
  const dragging = useRef<Dragging | undefined>(undefined);
  const draft = useSignal<Range | undefined>(undefined);
  const scale = useMemo(() => timeScale(all, width, busy), [all, width, busy]);
  const shapes = useMemo(
    () => ({
      main: spansPath(lanes[0]?.spans.filter(span => span.kind !== 'waiting') ?? [], scale.x, width, 3, 7),
      agents: spansPath(
        lanes.slice(1).flatMap(lane => lane.spans.filter(span => span.kind !== 'waiting')),
        scale.x,
        width,
        12,
        7,
      ),
      errors: marks
        .filter(mark => mark.kind === 'error')
        .map(mark => `M${scale.x(Date.parse(mark.at)).toFixed(1)} 2v${HEIGHT - 4}`)
        .join(''),
    }),
    [lanes, marks, scale],
  );
  const shown = draft.value ?? range;
  const left = scale.x(shown.from);
  const right = scale.x(shown.to);
  const at = (event: PointerEvent) => event.clientX - (plot.current?.getBoundingClientRect().left ?? 0);
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    plot.current?.setPointerCapture(event.pointerId);
    const x = at(event);
    const whole = isWhole(range, all);
    const kind = whole ? 'draw' : Math.abs(x - left) < 6 ? 'left' : Math.abs(x - right) < 6 ? 'right' : x > left && x < right ? 'move' : 'draw';
    dragging.current = { kind, x, range: kind === 'draw' ? { from: scale.time(x), to: scale.time(x) } : range };
  };
  const onPointerMove = (event: PointerEvent) => {
    const drag = dragging.current;
    if (!drag) return;
    const time = scale.time(Math.min(Math.max(at(event), 0), width));
    if (drag.kind === 'move') {
      const by = time - scale.time(drag.x);
      draft.value = within({ from: drag.range.from + by, to: drag.range.to + by }, all);
    } else {
      const fixed = drag.kind === 'left' ? drag.range.to : drag.range.from;
      draft.value = within({ from: Math.min(fixed, time), to: Math.max(fixed, time) }, all);
    }
  };
  const onPointerUp = (event: PointerEvent) => {
    const drag = dragging.current;
    const drawn = draft.value;
    dragging.current = undefined;
    draft.value = undefined;
    if (!drag) return;
    if (drawn && Math.abs(at(event) - drag.x) >= 4) onZoom(drawn);
    else if (drag.kind === 'draw' && !isWhole(range, all)) {
      const middle = scale.time(drag.x);
      const half = (range.to - range.from) / 2;
      onZoom(within({ from: middle - half, to: middle + half }, all));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const middle = (range.from + range.to) / 2;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => onZoom(moved(range, all, -0.25)),
      ArrowRight: () => onZoom(moved(range, all, 0.25)),
      ArrowUp: () => onZoom(zoomAround(range, all, middle, 0.5)),
      ArrowDown: () => onZoom(zoomAround(range, all, middle, 2)),
      Escape: () => onZoom(undefined),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const position = Math.round((100 * (shown.from - all.from)) / Math.max(all.to - all.from - (shown.to - shown.from), 1));
  return (
    <div class="minimap">
      <svg
        ref={plot}
        width={width}
        height={HEIGHT}
        role="slider"
        aria-label="Part of the time that the lanes show. Left and right move it, up and down zoom."
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(Math.max(position, 0), 100)}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          dragging.current = undefined;
          draft.value = undefined;
        }}
        onKeyDown={onKeyDown}
      >
        <rect class="minimap-all" width={width} height={HEIGHT} />
        <path class="lane-gaps" d={spansPath(scale.gaps, scale.x, width, 0, HEIGHT)} />
        <path class="k-model" d={shapes.main} />
        <path class="k-tool" d={shapes.agents} />
        <path class="minimap-errors" d={shapes.errors} />
        {!isWhole(shown, all) && (
          <>
            <path class="minimap-shade" d={`M0 0H${left}V${HEIGHT}H0zM${right} 0H${width}V${HEIGHT}H${right}z`} />
            <rect class="minimap-frame" x={left} y={0.5} width={Math.max(right - left, 2)} height={HEIGHT - 1} />
          </>
        )}
      </svg>
    </div>
  );
}
