// The most expensive sessions and prompts, what is not used, what has no price, and the check
// against Claude Code's own figures.

import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { count, counted, money, percent, shortId, shortPath, whole } from '../core/format';
import { Awaited, Empty, Panel } from '../parts/basics';
import type { UnusedDocument, UsageDocument } from '../schema';
import { here } from './controls';
import { amountOf, formatOf } from './rows';
import { type Selection, sessionsQuery } from './selection';

const MOST = 10;

export function TopSessions({ selection }: { selection: Selection }) {
  const answer = useAnswer<UsageDocument>('usage', { ...selection.parameters, by: 'session', limit: MOST });
  const more = (
    <a class="button" href={address('sessions', { q: sessionsQuery(selection), sort: 'cost' })}>
      All
    </a>
  );
  return (
    <Panel title="Top sessions" tools={more}>
      <TopRows answer={answer} selection={selection} heading="Session" />
    </Panel>
  );
}

export function TopPrompts({ selection }: { selection: Selection }) {
  const answer = useAnswer<UsageDocument>('usage', { ...selection.parameters, by: 'session,turn', limit: MOST });
  return (
    <Panel title="Top prompts">
      <TopRows answer={answer} selection={selection} heading="Prompt" />
    </Panel>
  );
}

function TopRows({ answer, selection, heading }: { answer: ReturnType<typeof useAnswer<UsageDocument>>; selection: Selection; heading: string }) {
  const { unit } = selection;
  return (
    <Awaited answer={answer}>
      {document =>
        document.rows.length === 0 ? (
          <Empty title="No calls in this period." />
        ) : (
          <table class="rows top-rows">
            <thead>
              <tr>
                <th scope="col">{heading}</th>
                <th scope="col" class="r">
                  Calls
                </th>
                <th scope="col" class="r">
                  {unit === 'tokens' ? 'Tokens' : 'Cost'}
                </th>
                <th scope="col" class="r">
                  Share
                </th>
                <th scope="col">
                  <span class="out-of-sight">Explain</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {document.rows.map(row => {
                const session = row.key.session ?? '';
                const turn = row.key.turn;
                const shown = unit === 'tokens' ? 'tokens' : 'cost';
                const name = (turn === undefined ? row.title : row.prompt) || shortId(session);
                return (
                  <tr key={`${session} ${turn}`}>
                    <td class="cut-cell">
                      <a href={sessionAddress(session, { at: turn })} title={name}>
                        {name}
                      </a>
                      {turn !== undefined && <span class="soft cut">{row.title}</span>}
                    </td>
                    <td class="r">{whole(row.calls)}</td>
                    <td class="r">{formatOf(shown)(amountOf(row, shown))}</td>
                    <td class="r soft">{percent(amountOf(row, shown), amountOf(document.total, shown))}</td>
                    <td>
                      <a class="tool" href={here({ explain: 'cost', explain_by: 'session', explain_of: session })} aria-label={`Explain ${name}`}>
                        ?
                      </a>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )
      }
    </Awaited>
  );
}

/** Agents and skills that are installed and were not used in the period. */
export function Unused({ selection }: { selection: Selection }) {
  const answer = useAnswer<UnusedDocument>('usage/unused', selection.parameters);
  return (
    <Panel title="Unused agents and skills">
      <Awaited answer={answer}>
        {document => (
          <>
            <UnusedList title="Agents" entries={document.agents} />
            <UnusedList title="Skills" entries={document.skills} />
          </>
        )}
      </Awaited>
    </Panel>
  );
}

function UnusedList({ title, entries }: { title: string; entries: UnusedDocument['agents'] }) {
  return (
    <>
      <h3 class="small-heading">{title}</h3>
      {entries.length === 0 ? (
        <p class="soft small">Every installed one was used in this period, or none is installed.</p>
      ) : (
        <ul class="unused">
          {entries.map(entry => (
            <li key={`${entry.name} ${entry.path}`} title={shortPath(entry.path)}>
              <b>{entry.name}</b> <span class="soft">{entry.last_used_on ? `last used ${entry.last_used_on}` : 'never used'}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Whether everything has a price, and whether Claude Code counts the same: over all transcripts. */
export function Checks() {
  const answer = useAnswer<UsageDocument>('usage', { by: 'model', explain: 1 });
  return (
    <Panel
      title="Checks of all transcripts"
      tools={
        <a class="button" href={here({ explain: 'calls' })}>
          Explain
        </a>
      }
    >
      <Awaited answer={answer}>{document => <CheckList document={document} />}</Awaited>
    </Panel>
  );
}

function CheckList({ document }: { document: UsageDocument }) {
  const { unknown_models: unknown, unpriced, explain } = document;
  const caches = explain.reconciled?.stats_cache ?? [];
  const sessions = explain.reconciled?.sessions ?? [];
  return (
    <ul class="checks">
      <li>
        <b>Prices</b>{' '}
        {unknown.length + unpriced.length === 0 ? (
          'Every call has a price.'
        ) : (
          <>
            Without a price: {[...unknown, ...unpriced].join(', ')}. Add prices with <code>--prices FILE</code>.
          </>
        )}
        {document.total.reported_usd && ` ${money(document.total.reported_usd)} of the cost is as reported by other apps, not calculated from prices.`}
      </li>
      <li>
        <b>Duplicates</b> {counted(explain.lines, 'line')} of transcripts are about {counted(explain.calls, 'call')}; a plain sum of all lines would cost{' '}
        {money(explain.naive.cost_usd)} instead of {money(document.total.cost_usd)}.
      </li>
      {explain.damaged_lines + explain.odd_lines > 0 && (
        <li>
          <b>Lines</b> {counted(explain.damaged_lines, 'line')} cannot be read, {counted(explain.odd_lines, 'line')} with odd counts or times.{' '}
          <a href={address('doctor')}>Doctor</a>
        </li>
      )}
      <li>
        <b>stats-cache.json</b>{' '}
        {caches.length === 0
          ? 'Claude Code has written no statistics to compare with.'
          : caches.map(cache => (
              <span key={`${cache.root} ${cache.model}`} class="check-row">
                {cache.model}: Claude Code {count(cache.claimed_tokens)}, annals {count(cache.counted_tokens)} tokens
                {cache.last_computed_date && <span class="soft"> up to {cache.last_computed_date}</span>}
              </span>
            ))}
      </li>
      {sessions.length > 0 && (
        <li>
          <b>Logged costs</b>{' '}
          {sessions.slice(0, 5).map(session => (
            <span key={session.session_id} class="check-row">
              <a href={sessionAddress(session.session_id)}>{shortId(session.session_id)}</a>: Claude Code {money(session.logged_usd)}, annals{' '}
              {money(session.counted_usd)}
            </span>
          ))}
        </li>
      )}
      <li class="soft small">
        Prices: {document.prices.join('; ')}. Time zone: {document.timezone}.
      </li>
    </ul>
  );
}
