// A long table, of which only the rows near the screen are in the document.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useVirtualRows } from './virtual_rows';

export interface Column<Row> {
  key: string;
  name: string;
  /** The content of a cell. */
  cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /** A CSS track: `8rem`, `minmax(12rem, 1fr)`. */
  width: string;
  /** The name of the order it sorts by. */
  sort?: string;
}

export interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** The address that a row leads to. */
  href?: (row: Row) => string;
  /** The row that keys act on. */
  selected?: number;
  onSelect?: (index: number) => void;
  sort?: { by: string; isDescending: boolean };
  onSort?: (by: string) => void;
  /** Asks for more rows when the end is near. */
  onEnd?: () => void;
  /** What is shown below a row. */
  below?: (row: Row) => ComponentChildren;
  rowHeight?: number;
}

export function Table<Row>(props: TableProps<Row>) {
  const { rows, columns, rowKey, href, selected, sort } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, {
    count: rows.length,
    height: props.rowHeight ?? 36,
    key: index => rowKey(rows[index] as Row),
    spare: 12,
  });
  useEffect(() => {
    if (selected !== undefined && selected >= 0) virtualizer.scrollToIndex(selected, { align: 'auto' });
  }, [selected]);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) props.onEnd?.();
  }, [last, rows.length]);
  const tracks = columns.map(column => column.width).join(' ');
  // Every row is a grid of its own: one least width for all of them keeps their columns aligned.
  const least = columns.map(column => column.width.match(/^minmax\(0?([^,]*),/)?.[1] ?? column.width).filter(Boolean);
  const place = useRef<HTMLDivElement>(null);
  // Styles are set through the object model: the policy of the page allows no `style` attributes.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    scroller.current?.style.setProperty('--tracks', tracks);
    scroller.current?.style.setProperty('--least', `calc(${least.join(' + ')})`);
    element.style.height = `${virtualizer.getTotalSize()}px`;
    for (const row of element.children) {
      const item = items.find(item => String(item.index) === (row as HTMLElement).dataset.index);
      if (item) (row as HTMLElement).style.transform = `translateY(${item.start}px)`;
    }
  });
  return (
    <div class="table table-scroll" ref={scroller} tabIndex={0}>
      <div role="table" aria-label={props.label} aria-rowcount={rows.length + 1}>
        <div class="table-row table-head" role="row" aria-rowindex={1}>
          {columns.map(column => {
            const isSorted = sort && column.sort === sort.by;
            return (
              <div
                key={column.key}
                role="columnheader"
                class={column.isNumber ? 'r' : ''}
                aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
              >
                {column.sort && props.onSort ? (
                  <button type="button" onClick={() => props.onSort?.(column.sort as string)}>
                    {column.name}
                    {isSorted ? (sort.isDescending ? ' ↓' : ' ↑') : ''}
                  </button>
                ) : (
                  column.name
                )}
              </div>
            );
          })}
        </div>
        <div class="table-body" ref={place} role="rowgroup">
          {items.map(item => {
            const row = rows[item.index] as Row;
            const to = href?.(row);
            return (
              <div
                key={item.key}
                data-index={item.index}
                ref={element => {
                  if (element) virtualizer.measureElement(element);
                }}
                class={`table-item ${item.index === selected ? 'selected' : ''}`}
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={selected === undefined ? undefined : item.index === selected}
                onClick={() => props.onSelect?.(item.index)}
              >
                <div class="table-row" role="presentation">
                  {columns.map((column, at) => (
                    <div key={column.key} role="cell" class={column.isNumber ? 'r' : ''}>
                      {to && at === 0 ? <a href={to}>{column.cell(row)}</a> : column.cell(row)}
                    </div>
                  ))}
                </div>
                {props.below && <div role="cell">{props.below(row)}</div>}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
