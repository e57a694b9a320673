// The totals of the period, each with the period before and a way to see how it was counted.

import type { ComponentChildren } from 'preact';
import { useAnswer } from '../core/api';
import { address } from '../core/base';
import { count, counted, money, percent, whole } from '../core/format';
import { Figure } from '../parts/basics';
import type { UsageDocument, UsageHoursDocument, UsageSums } from '../schema';
import { here } from './controls';
import { changeOf } from './rows';
import { type Selection, sessionsQuery } from './selection';

function Change({ now, before, format }: { now: number; before: number | undefined; format: (value: number) => string }) {
  if (before === undefined) return null;
  const change = changeOf(now, before);
  return (
    <>
      {change ? <b>{change.text}</b> : null} before: {format(before)}
    </>
  );
}

export function Figures({ selection, document, before }: { selection: Selection; document: UsageDocument; before: UsageDocument | undefined }) {
  const hours = useAnswer<UsageHoursDocument>('usage/hours', selection.parameters);
  const { total } = document;
  const was = before?.total;
  const input = total.cache_read_tokens + total.cache_write_5m_tokens + total.cache_write_1h_tokens + total.input_tokens;
  const explained = (topic: string) => here({ explain: topic });
  const change = (value: (sums: UsageSums) => number, format: (value: number) => string): ComponentChildren => (
    <Change now={value(total)} before={was && value(was)} format={format} />
  );
  return (
    <div class="figures">
      <Figure
        name="Cost"
        value={
          <>
            {money(total.cost_usd)}
            {!total.cost_complete && <abbr title="Some calls have no price">+</abbr>}
          </>
        }
        note={change(sums => Number(sums.cost_usd ?? 0), money)}
        href={explained('cost')}
      />
      <Figure name="Calls" value={whole(total.calls)} note={change(sums => sums.calls, whole)} href={explained('calls')} />
      <Figure name="Tokens" value={count(total.total_tokens)} note={change(sums => sums.total_tokens, count)} href={explained('tokens')} />
      <Figure
        name="Output"
        value={count(total.output_tokens)}
        note={`thinking: ${count(total.thinking_tokens)}${total.thinking_tokens > 0 ? ` (${percent(total.thinking_tokens, total.output_tokens)})` : ''}`}
        href={explained('output')}
      />
      <Figure
        name="Cache hit rate"
        value={total.cache_hit_rate === null ? '–' : `${(total.cache_hit_rate * 100).toFixed(1)}%`}
        note={`of ${count(input)} input · saved ${money(total.cache_saved_usd)}`}
        href={explained('cache')}
      />
      <Figure
        name="Cache expired"
        value={money(total.cache_expired_usd)}
        note={`${count(total.cache_expired_tokens)} tokens written again`}
        href={explained('expired')}
      />
      <Figure
        name="Sessions"
        value={hours.data ? whole(hours.data.sessions) : '…'}
        note={total.web_searches > 0 ? counted(total.web_searches, 'web search', 'web searches') : 'with calls'}
        href={address('sessions', { q: sessionsQuery(selection) })}
      />
    </div>
  );
}
