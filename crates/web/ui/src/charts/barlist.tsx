// Horizontal bars as a list of links or buttons: the largest first, a click filters.

import { max, sum } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import type { ComponentChildren } from 'preact';
import { percent } from '../core/format';
import type { Colour } from './data';

export interface BarItem {
  key: string;
  name: string;
  /** More about it, shown on hover. */
  title?: string;
  /** The parts of the bar. */
  parts: readonly { colour: Colour; value: number }[];
  /** Where it leads. Without it, a click calls `onPick`. */
  href?: string;
  isOn?: boolean;
  /** After the name, in soft letters. */
  note?: ComponentChildren;
  /** Links and buttons beside the bar. */
  tools?: ComponentChildren;
}

export function BarList({
  label,
  items,
  format,
  total,
  onPick,
}: {
  label: string;
  items: readonly BarItem[];
  format: (value: number) => string;
  /** What all items together are, for their shares. */
  total?: number;
  onPick?: (key: string) => void;
}) {
  const amount = (item: BarItem) => sum(item.parts, part => part.value);
  const width = scaleLinear([0, max(items, amount) || 1], [0, 100]).clamp(true);
  return (
    <ul class="bar-list" aria-label={label}>
      {items.map(item => {
        const value = amount(item);
        let left = 0;
        const content = (
          <>
            <span class="bar-name">
              {item.name}
              {item.note && <span class="soft"> {item.note}</span>}
            </span>
            <span class="bar-value">{format(value)}</span>
            {total !== undefined && <span class="bar-share soft">{percent(value, total)}</span>}
            <svg class="bar-line" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
              {item.parts.map((part, index) => {
                const at = left;
                left += part.value;
                return <rect key={index} class={`c${part.colour}`} x={width(at)} width={Math.max(width(left) - width(at), 0)} height={1} />;
              })}
            </svg>
          </>
        );
        return (
          <li key={item.key}>
            {item.href ? (
              <a href={item.href} title={item.title} class="bar-item">
                {content}
              </a>
            ) : onPick ? (
              <button type="button" class="bar-item" title={item.title} aria-pressed={!!item.isOn} onClick={() => onPick(item.key)}>
                {content}
              </button>
            ) : (
              <div class="bar-item" title={item.title}>
                {content}
              </div>
            )}
            {item.tools && <span class="bar-tools">{item.tools}</span>}
          </li>
        );
      })}
    </ul>
  );
}
