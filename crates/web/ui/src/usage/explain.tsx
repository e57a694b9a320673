// How a number came about: what was counted, what was left out, at which prices.

import { useSignal } from '@preact/signals';
import { daysOf } from '../charts';
import { useAnswer } from '../core/api';
import type { Parameters } from '../core/base';
import { count, counted, moment, money, shortId, shortPath, whole } from '../core/format';
import { change, parameter } from '../core/router';
import { Awaited } from '../parts/basics';
import { Dialog } from '../parts/dialog';
import type { CallDocument, UsageCall, UsageDocument, UsageRow, UsageSums } from '../schema';
import { periodTitle } from './period';
import { keyName } from './rows';
import { FILTERS, type Selection } from './selection';

const TOPICS: Record<string, readonly [title: string, text: string]> = {
  cost: [
    'Cost',
    'Each call is counted once and priced by what it read and wrote, at the prices of the API on its day. A logged cost wins over a calculated one.',
  ],
  calls: [
    'Calls',
    'A call to the API is written to transcripts several times: while its answer streams, and again by forks and resumed sessions. Each is counted once.',
  ],
  tokens: ['Tokens', 'All tokens: input read from the cache, written to it and not cached, and output.'],
  output: ['Output', 'Tokens that models wrote. Thinking is part of it; older versions of Claude Code do not record how much.'],
  cache: [
    'Cache',
    'Hit rate: input read from the cache / (read + written + not cached). Saved: what the reads would have cost uncached, less the extra cost of writing.',
  ],
  expired: [
    'Cache expired',
    'Input that was in the cache before, and was written again because the cache had expired: five minutes or an hour passed without a call.',
  ],
};

interface Scope {
  /** The words after the title. */
  name: string;
  path: string;
  parameters: Parameters;
  /** Only rows with this key count, where no filter can select them. */
  only?: readonly [dimension: string, value: string];
}

function scopeOf(selection: Selection): Scope {
  const by = parameter('explain_by');
  const of = parameter('explain_of');
  const period = periodTitle(selection.period);
  const usual = { path: 'usage', parameters: { ...selection.parameters, by: 'model', explain: 1 } };
  if (!by) return { name: period, ...usual };
  if (by === 'day' || by === 'week' || by === 'month') {
    const [since, until] = daysOf(of, by);
    return { name: periodTitle({ preset: undefined, since, until }), path: 'usage', parameters: { ...usual.parameters, since, until } };
  }
  const name = `${by} ${shortPath(of) || '(none)'}, ${period}`;
  const filter = FILTERS.find(one => one === by);
  if (filter && of && !of.startsWith('(')) return { name, path: 'usage', parameters: { ...usual.parameters, [filter]: of } };
  return { name, path: 'usage', parameters: { ...usual.parameters, by: `${by},model` }, only: [by, of] };
}

/** The dialog, open while the URL says so. */
export function Explain({ selection }: { selection: Selection }) {
  const topic = parameter('explain');
  const known = TOPICS[topic];
  if (!known) return null;
  return <ExplainDialog key={`${topic} ${parameter('explain_by')} ${parameter('explain_of')}`} selection={selection} title={known[0]} text={known[1]} />;
}

function ExplainDialog({ selection, title, text }: { selection: Selection; title: string; text: string }) {
  const scope = scopeOf(selection);
  const answer = useAnswer<UsageDocument>(scope.path, scope.parameters);
  const close = () => change({ explain: '', explain_by: '', explain_of: '' });
  return (
    <Dialog label={`How ${title} is counted`} onClose={close} class="explain">
      <div class="explain-head">
        <h2>{title}</h2>
        <span class="soft">{scope.name}</span>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <p>{text}</p>
      <Awaited answer={answer}>{document => <Explained document={document} only={scope.only} />}</Awaited>
      <OneCall />
    </Dialog>
  );
}

function Explained({ document, only }: { document: UsageDocument; only: Scope['only'] }) {
  const rows = only ? document.rows.filter(row => (row.key[only[0]] ?? '') === only[1]) : document.rows;
  return (
    <>
      <ModelTable rows={rows} total={only ? undefined : document.total} />
      {document.note && <p class="soft small">Note: {document.note}.</p>}
      <Counting />
      <p class="soft small">
        Prices: {document.prices.join('; ')}.{' '}
        {[...document.unknown_models, ...document.unpriced].length > 0 && `Without a price: ${[...document.unknown_models, ...document.unpriced].join(', ')}.`}
      </p>
    </>
  );
}

const COLUMNS: readonly (readonly [name: string, value: (sums: UsageSums | UsageRow) => string])[] = [
  ['cost', sums => money(sums.cost_usd)],
  ['calls', sums => whole(sums.calls)],
  ['uncached input', sums => count(sums.input_tokens)],
  ['cache read', sums => count(sums.cache_read_tokens)],
  ['written, 5 min', sums => count(sums.cache_write_5m_tokens)],
  ['written, 1 h', sums => count(sums.cache_write_1h_tokens)],
  ['output', sums => count(sums.output_tokens)],
  ['saved', sums => money(sums.cache_saved_usd)],
  ['expired', sums => money(sums.cache_expired_usd)],
];

function ModelTable({ rows, total }: { rows: readonly UsageRow[]; total: UsageSums | undefined }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="By model">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">model</th>
            {COLUMNS.map(([name]) => (
              <th key={name} scope="col" class="r">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{keyName(row.key.model)}</th>
              {COLUMNS.map(([name, value]) => (
                <td key={name} class="r">
                  {value(row)}
                </td>
              ))}
            </tr>
          ))}
          {total && rows.length > 1 && (
            <tr class="sum">
              <th scope="row">total</th>
              {COLUMNS.map(([name, value]) => (
                <td key={name} class="r">
                  {value(total)}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

/** How lines became calls. The ledger counts that over all transcripts, whatever the period. */
function Counting() {
  const answer = useAnswer<UsageDocument>('usage', { by: 'model', explain: 1 });
  return <Awaited answer={answer}>{document => <CountingTables document={document} />}</Awaited>;
}

function CountingTables({ document }: { document: UsageDocument }) {
  const { explain, total } = document;
  const { duplicates, naive } = explain;
  const steps: readonly (readonly [string, number])[] = [
    ['lines about a call', explain.lines],
    ['repeated while an answer streamed', duplicates.streaming],
    ['copied by forks', duplicates.fork],
    ['copied by resumed sessions', duplicates.resume_copy],
    ['replayed', duplicates.replay],
    ['repeated as progress of a sub-agent', duplicates.progress],
    ['lines that cannot be read', explain.damaged_lines],
    ['lines with odd counts or times', explain.odd_lines],
    ['calls that Claude Code made up, in no row', explain.synthetic_calls],
  ];
  return (
    <div class="counting">
      <table class="rows">
        <caption>All transcripts: from lines to calls</caption>
        <tbody>
          {steps
            .filter(([, value]) => value !== 0)
            .map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="r">{whole(value)}</td>
              </tr>
            ))}
          <tr class="sum">
            <th scope="row">calls, each counted once</th>
            <td class="r">{whole(total.calls)}</td>
          </tr>
        </tbody>
      </table>
      <table class="rows">
        <caption>All transcripts: a plain sum of all lines, and what is counted</caption>
        <tbody>
          {(
            [
              ['uncached input', count(naive.input_tokens), count(total.input_tokens)],
              ['cache written', count(naive.cache_write_tokens), count(total.cache_write_5m_tokens + total.cache_write_1h_tokens)],
              ['cache read', count(naive.cache_read_tokens), count(total.cache_read_tokens)],
              ['output', count(naive.output_tokens), count(total.output_tokens)],
              ['cost', money(naive.cost_usd), money(total.cost_usd)],
            ] as const
          ).map(([name, plain, counted]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="r soft">{plain}</td>
              <td class="r">{counted}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How a single call was counted and priced. */
function OneCall() {
  const typed = useSignal('');
  const asked = useSignal('');
  const answer = useAnswer<CallDocument>(asked.value ? 'usage/explain' : null, { call: asked.value });
  return (
    <section class="one-call">
      <form
        onSubmit={event => {
          event.preventDefault();
          asked.value = typed.value.trim();
        }}
      >
        <label>
          One call{' '}
          <input type="text" placeholder="msg_… or req_…" value={typed.value} onInput={event => (typed.value = event.currentTarget.value)} spellcheck={false} />
        </label>
        <button type="submit">Explain</button>
      </form>
      {asked.value && <Awaited answer={answer}>{document => document.calls.map(call => <Call key={call.call} call={call} />)}</Awaited>}
    </section>
  );
}

function Call({ call }: { call: UsageCall }) {
  return (
    <>
      <p>
        <b class="mono">{call.call}</b> {call.model} · {moment(call.timestamp)} · {money(call.cost_usd)}
        {call.is_long_context && ' · rates for long prompts'} {call.unpriced && <span class="bad">{call.unpriced}</span>}
      </p>
      <div class="counting">
        <table class="rows">
          <caption>Price</caption>
          <tbody>
            {call.parts.map(part => (
              <tr key={part.what}>
                <th scope="row">{part.what}</th>
                <td class="r">
                  {whole(part.count)} × ${part.rate_usd}
                </td>
                <td class="r">${part.amount_usd}</td>
              </tr>
            ))}
            {call.factors.map(factor => (
              <tr key={factor.why}>
                <th scope="row">{factor.why}</th>
                <td class="r">× {factor.factor}</td>
                <td />
              </tr>
            ))}
          </tbody>
        </table>
        <table class="rows">
          <caption>{counted(call.lines.length, 'line')} about it; the bold one counts</caption>
          <tbody>
            {call.lines.map(line => (
              <tr key={`${line.path} ${line.offset}`} class={line.is_chosen ? 'chosen' : 'soft'} title={`${shortPath(line.path)} at byte ${line.offset}`}>
                <th scope="row">{shortId(line.path.split('/').pop() ?? '')}</th>
                <td>{[line.is_fork && 'fork', line.is_progress && 'progress', line.is_sidechain && 'sub-agent'].filter(Boolean).join(', ')}</td>
                <td class="r">{counted(line.total_tokens, 'token')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
