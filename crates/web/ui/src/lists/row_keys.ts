// The keys that move through the rows of a list.

import { type Signal, useSignal } from '@preact/signals';
import { useKeys } from '../core/keys';

export interface RowKeys<Row> {
  onOpen?: (row: Row) => void;
  onPreview?: (row: Row) => void;
}

/** The selected row, and keys that move it. */
export function useRowKeys<Row>(title: string, rows: readonly Row[], actions: RowKeys<Row>): Signal<number> {
  const selected = useSignal(-1);
  const move = (by: number) => () => {
    selected.value = Math.max(0, Math.min(rows.length - 1, selected.value + by));
  };
  const onRow = (act: ((row: Row) => void) | undefined) => () => {
    const row = rows[selected.value];
    if (row !== undefined) act?.(row);
  };
  useKeys(title, {
    j: { does: 'Next row', run: move(1) },
    k: { does: 'Previous row', run: move(-1) },
    ...(actions.onOpen && { Enter: { does: 'Open the row', run: onRow(actions.onOpen) } }),
    ...(actions.onPreview && { ' ': { does: 'Preview the row', run: onRow(actions.onPreview) } }),
  });
  return selected;
}
