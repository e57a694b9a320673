// Long lists: rows outside the screen are not in the document. TanStack's virtual-core decides
// which are; this draws again when it changes its mind.

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualizerOptions } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useReducer, useRef } from 'preact/hooks';

export interface VirtualRows {
  count: number;
  /** The usual height of a row in pixels. */
  height: number;
  key: (index: number) => string | number;
  /** Rows that are drawn beyond the screen. */
  spare: number;
}

type Rows = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** The rows to draw inside an element that scrolls. */
export function useVirtualRows(scroller: RefObject<HTMLDivElement | null>, rows: VirtualRows): Rows {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rows.height,
    getItemKey: rows.key,
    overscan: rows.spare,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(undefined as never),
  };
  const held = useRef<Rows | undefined>(undefined);
  held.current ??= new Virtualizer(options);
  const virtualizer = held.current;
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), []);
  useEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
