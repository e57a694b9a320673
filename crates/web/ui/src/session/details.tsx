// Everything about the turn that is being read.

import { useEffect, useRef } from 'preact/hooks';
import { address, sessionAddress } from '../core/base';
import { clock, count, counted, duration, lastPart, moment, money, percent, shortPath, whole } from '../core/format';
import { state } from '../core/state';
import { moveError } from './blocks';
import type { Explorer } from './explorer';
import { SessionUsage, TokensIn, usageOfTurn, useSessionUsage } from './usage_facts';

/** A duration; nothing at all is a dash. */
function spent(milliseconds: number): string {
  return milliseconds > 0 ? duration(milliseconds) : '–';
}

/** A bar of shares; widths are set through the object model. */
function Shares({ label, parts }: { label: string; parts: { name: string; value: number; class: string }[] }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const all = parts.reduce((sum, part) => sum + part.value, 0);
    for (const [at, part] of parts.entries()) {
      const element = bar.current?.children[at] as HTMLElement | undefined;
      if (element) element.style.width = all > 0 ? `${(100 * part.value) / all}%` : '0';
    }
  });
  return (
    <div class="shares" ref={bar} role="img" aria-label={label}>
      {parts.map(part => (
        <span key={part.name} class={part.class} title={part.name} />
      ))}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function Details({ explorer }: { explorer: Explorer }) {
  const turn = explorer.turn.value;
  const outline = explorer.outline.value;
  const usage = useSessionUsage(explorer);
  if (!turn || !outline) return <p class="soft">Scroll to a turn to see its details.</p>;
  const { part } = explorer.at.value;
  const model = turn.model_ms;
  const tools = turn.tools_ms;
  const rest = Math.max(turn.duration_ms - model - tools, 0);
  const size = turn.context_limit;
  const block = explorer.block.value;
  const message = block?.closest<HTMLElement>('.m[id]')?.id.slice(2);
  const record = message ?? turn.uuid ?? '';
  const agent = block?.closest<HTMLElement>('details.a[data-agent]')?.dataset.agent ?? explorer.agent;
  const agents = turn.agents.map(id => explorer.agentOf(id)).filter(agent => agent !== undefined);
  const used = part === 'main' ? usageOfTurn(usage, turn.started_at) : undefined;
  const commits = outline.commits.filter(commit => turn.commits.includes(commit.hash));
  return (
    <div class="details">
      <h2>
        Turn {turn.turn}
        {part !== 'main' && <span class="soft">{part.startsWith('o') ? ' of an orphaned segment' : ' of an abandoned branch'}</span>}
      </h2>
      <p class="details-prompt">{turn.prompt || <span class="soft">No prompt</span>}</p>
      {turn.mark !== null && <p class="details-mark">★ {turn.mark || 'Marked'}</p>}
      <dl>
        <Fact name="Time">
          <time dateTime={turn.started_at ?? ''} title={`${moment(turn.started_at)} to ${moment(turn.ended_at)}`}>
            {clock(turn.started_at)}
            {clock(turn.ended_at) !== clock(turn.started_at) && ` – ${clock(turn.ended_at)}`}
          </time>
        </Fact>
        <Fact name="Duration">{spent(turn.duration_ms)}</Fact>
        <Fact name="Model">{spent(turn.model_ms)}</Fact>
        <Fact name="Tools">
          {spent(turn.tools_ms)}
          {turn.calls > 0 && <span class="soft"> · {counted(turn.calls, 'call')}</span>}
        </Fact>
        {model + tools > 0 && (
          <dd class="wide">
            <Shares
              label={`Model ${duration(model)}, tools ${duration(tools)}, other ${duration(rest)}`}
              parts={[
                { name: `Model ${duration(model)}`, value: model, class: 'k-model' },
                { name: `Tools ${duration(tools)}`, value: tools, class: 'k-tool' },
                { name: `Other ${duration(rest)}`, value: rest, class: 'k-waiting' },
              ]}
            />
          </dd>
        )}
        <Fact name="Cost">
          {turn.cost_usd === null && turn.output_tokens === 0 ? '–' : money(turn.cost_usd)}
          {used && turn.agents.length > 0 && <span class="soft" title="With the sub-agents of this turn"> · {money(used.cost_usd)} in all</span>}
        </Fact>
        {used && (
          <Fact name="Tokens in">
            <TokensIn sums={used} />
          </Fact>
        )}
        <Fact name="Tokens out">
          <span title={whole(turn.output_tokens)}>{count(turn.output_tokens)}</span>
          {used && turn.agents.length > 0 && <span class="soft" title="With the sub-agents of this turn"> · {count(used.output_tokens)} in all</span>}
        </Fact>
        <Fact name="Window">
          {turn.context_tokens ? (
            <span title={`${whole(turn.context_tokens)} tokens`}>
              {count(turn.context_tokens)}
              {size !== null && (
                <span class="soft">
                  {' '}
                  · {percent(turn.context_tokens, size)} of {count(size)}
                </span>
              )}
            </span>
          ) : (
            '–'
          )}
        </Fact>
        {turn.context_tokens > 0 && size !== null && (
          <dd class="wide">
            <Shares
              label={`${percent(turn.context_tokens, size)} of the context window`}
              parts={[
                { name: `${count(turn.context_tokens)} used`, value: turn.context_tokens, class: 'k-context' },
                { name: `${count(size - turn.context_tokens)} free`, value: size - turn.context_tokens, class: 'k-free' },
              ]}
            />
          </dd>
        )}
        {turn.cache_miss && (
          <Fact name="Cache">
            <span class="bad">miss: the prompt was read anew</span>
          </Fact>
        )}
        {turn.errors > 0 && (
          <Fact name="Errors">
            <button type="button" class="link bad" onClick={() => void moveError(explorer, 1)}>
              {counted(turn.errors, 'error')}
            </button>
          </Fact>
        )}
      </dl>
      {turn.files.length > 0 && (
        <>
          <h3>Files changed</h3>
          <ul>
            {turn.files.slice(0, 12).map(file => (
              <li key={file}>
                <a class="cut" href={address('files', { path: file })} title={shortPath(file)}>
                  {lastPart(file)}
                </a>
              </li>
            ))}
            {turn.files.length > 12 && <li class="soft">and {turn.files.length - 12} more</li>}
          </ul>
        </>
      )}
      {agents.length > 0 && (
        <>
          <h3>Sub-agents</h3>
          <ul>
            {agents.slice(0, 12).map(agent => (
              <li key={agent.id}>
                <a class="cut" href={sessionAddress(explorer.id, { agent: agent.id })} title={agent.description ?? ''}>
                  {agent.description || agent.type || agent.id}
                </a>
                <span class="soft">
                  {[agent.type, `${count(agent.output_tokens)} out`, agent.cost_usd !== null && money(agent.cost_usd)].filter(Boolean).join(' · ')}
                  {agent.context_peak > 0 && ` · window to ${count(agent.context_peak)}`}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {commits.length > 0 && (
        <>
          <h3>Commits</h3>
          <ul>
            {commits.map(commit => (
              <li key={commit.hash}>
                <a class="cut" href={address(`commits/${encodeURIComponent(commit.hash)}`)}>
                  {commit.subject ?? commit.hash.slice(0, 10)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="details-actions">
        <button type="button" disabled={!record} onClick={() => (explorer.dialog.value = { kind: 'record', uuid: record, agent })}>
          {message ? 'Raw record' : 'Raw prompt'}
        </button>
        <button type="button" onClick={() => void explorer.copy(explorer.link(), 'Link copied.')}>
          Copy link
        </button>
        {!state.value.read_only && (
          <button type="button" onClick={() => (explorer.dialog.value = { kind: 'mark', turn: turn.turn })}>
            {turn.mark === null ? 'Mark' : 'Edit mark'}
          </button>
        )}
      </div>
      {usage && <SessionUsage usage={usage} />}
    </div>
  );
}
