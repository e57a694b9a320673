// The panel above the conversation: lanes on a time axis, and the context window and cost by turn.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { store, storedText } from '../core/theme';
import type { Explorer } from './explorer';
import { Lanes } from './lanes';
import { Strip } from './strip';

/** The width of an element, as it changes. */
export function useWidth<T extends Element>() {
  const element = useRef<T>(null);
  const width = useSignal(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(entries => {
      const size = Math.floor(entries[0]?.contentRect.width ?? 0);
      if (size !== width.peek()) width.value = size;
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width: width.value };
}

export function Timeline({ explorer }: { explorer: Explorer }) {
  // A small screen is for reading.
  const isOpen = useSignal((storedText('timeline') ?? (innerWidth < 700 ? 'closed' : 'open')) === 'open');
  const toggle = () => {
    isOpen.value = !isOpen.value;
    store('timeline', isOpen.value ? 'open' : 'closed');
  };
  const button = (
    <button type="button" class="timeline-toggle" aria-expanded={isOpen.value} onClick={toggle}>
      <span aria-hidden="true">{isOpen.value ? '▾' : '▸'}</span> Timeline
    </button>
  );
  return (
    <section class="timeline" aria-label="Timeline">
      {isOpen.value ? (
        <div class="timeline-body">
          <Lanes explorer={explorer} toggle={button} />
          <Strip explorer={explorer} />
        </div>
      ) : (
        button
      )}
    </section>
  );
}
