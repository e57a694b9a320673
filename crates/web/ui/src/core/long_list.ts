// Long lists arrive in pieces: more rows are asked for when the end of a table is near.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { get } from './api';
import { address, type Parameters } from './base';

export interface Piece<Row> {
  rows: readonly Row[];
  total: number;
  /** Whether rows may be missing because the index is not complete. */
  isPartial?: boolean;
  /** What to ask for next; absent at the end. */
  next: Parameters | undefined;
}

export interface LongList<Row> {
  rows: readonly Row[];
  total: number | undefined;
  isPartial: boolean;
  error: Error | undefined;
  isLoading: boolean;
  /** Asks for the next piece. */
  more: () => void;
  reload: () => void;
}

/** A list in pieces. `read` takes the rows out of a document. */
export function useLongList<Document, Row>(
  path: string,
  parameters: Parameters,
  read: (document: Document) => Piece<Row>,
  version?: { value: unknown },
): LongList<Row> {
  const rows = useSignal<readonly Row[]>([]);
  const total = useSignal<number | undefined>(undefined);
  const isPartial = useSignal(false);
  const error = useSignal<Error | undefined>(undefined);
  const isLoading = useSignal(true);
  const again = useSignal(0);
  const next = useRef<Parameters | undefined>(undefined);
  const abort = useRef<AbortController | undefined>(undefined);
  const key = address(path, parameters);

  const ask = (place: Parameters | undefined) => {
    abort.current?.abort();
    const own = new AbortController();
    abort.current = own;
    isLoading.value = true;
    get<Document>(path, { ...parameters, ...place }, own.signal).then(
      document => {
        const piece = read(document);
        rows.value = place ? [...rows.peek(), ...piece.rows] : piece.rows;
        total.value = piece.total;
        isPartial.value = piece.isPartial ?? false;
        next.current = piece.next;
        error.value = undefined;
        isLoading.value = false;
      },
      (reason: unknown) => {
        if (own.signal.aborted) return;
        error.value = reason instanceof Error ? reason : new Error(String(reason));
        isLoading.value = false;
      },
    );
  };
  useEffect(() => {
    next.current = undefined;
    ask(undefined);
    return () => abort.current?.abort();
  }, [key, again.value, version?.value]);
  return {
    rows: rows.value,
    total: total.value,
    isPartial: isPartial.value,
    error: error.value,
    isLoading: isLoading.value,
    more: () => {
      const place = next.current;
      if (!place || isLoading.peek()) return;
      next.current = undefined;
      ask(place);
    },
    reload: () => {
      again.value++;
    },
  };
}
