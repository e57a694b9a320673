// What a turn and the whole session used: tokens, cache and cost, with their sub-agents.

import { computed } from '@preact/signals';
import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { useAnswer } from '../core/api';
import { count, money, percent, shortModel, whole } from '../core/format';
import type { UsageDocument, UsageRow, UsageSums } from '../schema';
import type { Explorer } from './explorer';

/** The usage of a session by turn, read again when a turn has been added. Nothing for a sub-agent's page. */
export function useSessionUsage(explorer: Explorer): UsageDocument | undefined {
  const version = useMemo(() => computed(() => explorer.outline.value?.turns.length), [explorer]);
  const path = explorer.agent || !explorer.outline.value ? null : `sessions/${encodeURIComponent(explorer.id)}/usage`;
  return useAnswer<UsageDocument>(path, { by: 'turn' }, version).data;
}

/** The row of the turn that began at a time. */
export function usageOfTurn(usage: UsageDocument | undefined, started: string | null): UsageRow | undefined {
  const time = Date.parse(started ?? '');
  return usage?.rows.find(row => Date.parse(row.key.turn ?? '') === time);
}

type Sums = Pick<UsageSums, 'input_tokens' | 'cache_read_tokens' | 'cache_write_5m_tokens' | 'cache_write_1h_tokens'>;

/** The tokens that were sent, and how many of them the cache had. */
export function TokensIn({ sums }: { sums: Sums }) {
  const written = sums.cache_write_5m_tokens + sums.cache_write_1h_tokens;
  const all = sums.input_tokens + written + sums.cache_read_tokens;
  const title = `${whole(sums.cache_read_tokens)} read from the cache, ${whole(written)} written to it, ${whole(sums.input_tokens)} neither`;
  return (
    <span title={title}>
      {count(all)} <span class="soft">· {percent(sums.cache_read_tokens, all)} cached</span>
    </span>
  );
}

/** The whole session, and its models where there are several. */
export function SessionUsage({ usage }: { usage: UsageDocument }) {
  const { total } = usage;
  const models = Object.entries(usage.models).sort(([, one], [, other]) => Number(other.cost_usd ?? 0) - Number(one.cost_usd ?? 0));
  if (total.calls === 0) return null;
  return (
    <>
      <h3>Whole session, with sub-agents</h3>
      <dl>
        <dt>Cost</dt>
        <dd>
          {money(total.cost_usd)}
          {!total.cost_complete && '+'} <span class="soft" title={whole(total.calls)}>· {count(total.calls)} {total.calls === 1 ? 'request' : 'requests'}</span>
        </dd>
        <dt>Tokens in</dt>
        <dd>
          <TokensIn sums={total} />
        </dd>
        <dt>Tokens out</dt>
        <dd>
          <span title={whole(total.output_tokens)}>{count(total.output_tokens)}</span>
          {total.thinking_tokens > 0 && <span class="soft"> · {count(total.thinking_tokens)} thinking</span>}
        </dd>
        {Number(total.cache_saved_usd) > 0 && (
          <>
            <dt>Cache saved</dt>
            <dd>{money(total.cache_saved_usd)}</dd>
          </>
        )}
        {models.length > 1 &&
          models.map(([model, sums]) => (
            <Fragment key={model}>
              <dt class="cut" title={model}>
                {shortModel(model)}
              </dt>
              <dd>
                {sums.cost_complete ? money(sums.cost_usd) : '?'} <span class="soft" title={whole(sums.calls)}>· {count(sums.calls)} {sums.calls === 1 ? 'request' : 'requests'}</span>
              </dd>
            </Fragment>
          ))}
      </dl>
    </>
  );
}
