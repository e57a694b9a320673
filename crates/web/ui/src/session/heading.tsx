// The head of a session's page: its title, the facts, and what can be done with it.

import { useComputed } from '@preact/signals';
import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { count, counted, duration, lastPart, moment, money, shortModel, shortPath } from '../core/format';
import { harmless } from '../core/harmless';
import { state } from '../core/state';
import type { Outline } from './outline_data';
import { Copy, useTabTitle } from '../parts/basics';
import type { AgentsDocument } from '../schema';
import type { Explorer } from './explorer';
import { Menu } from './menu';

/** From the first to the last moment. */
function span(outline: Outline): string {
  const from = Date.parse(outline.started_at ?? '');
  const to = Date.parse(outline.ended_at ?? '');
  return Number.isFinite(to - from) ? duration(to - from) : '';
}

function Facts({ outline }: { outline: Outline }) {
  const { totals } = outline;
  const facts = [
    outline.project && (
      <a href={address('sessions', { project: outline.project })} title={outline.project}>
        {lastPart(outline.project)}
      </a>
    ),
    outline.branch && <span class="mono">{outline.branch}</span>,
    outline.models.length > 0 && <span title={outline.models.join(', ')}>{outline.models.map(shortModel).join(', ')}</span>,
    outline.started_at && (
      <time dateTime={outline.started_at} title={`${moment(outline.started_at)} to ${moment(outline.ended_at)}`}>
        {moment(outline.started_at).slice(0, 16)}
      </time>
    ),
    span(outline) && <span title="From the first to the last message">{span(outline)}</span>,
    counted(totals.turns, 'turn'),
    outline.agents.length > 0 && counted(outline.agents.length, 'agent'),
    <span key="tokens" title={`${totals.output_tokens} tokens out`}>
      {count(totals.output_tokens)} out
    </span>,
    <span key="cost" title="At API prices, with sub-agents">
      {money(totals.cost_usd)}
    </span>,
    totals.errors > 0 && <span class="bad">{counted(totals.errors, 'error')}</span>,
  ].filter(Boolean);
  return (
    <ul class="session-facts">
      {facts.map((fact, at) => (
        <li key={at}>{fact}</li>
      ))}
    </ul>
  );
}

export function Heading({ explorer }: { explorer: Explorer }) {
  const outline = explorer.outline.value;
  const session = useComputed(() => explorer.outline.value?.title || explorer.title.value || 'Untitled session').value;
  const agents = useAnswer<AgentsDocument>(explorer.agent ? `sessions/${encodeURIComponent(explorer.id)}/agents` : null);
  const agent = agents.data?.agents.find(agent => agent.id === explorer.agent);
  const title = explorer.agent ? (agent?.description ?? harmless(`Sub-agent ${explorer.agent}`)) : session;
  useTabTitle(title);
  const path = `export/${encodeURIComponent(explorer.id)}`;
  const isReadOnly = state.value.read_only;
  const hasMark = outline?.marks.length;
  return (
    <div class="session-head">
      <div class="session-title">
        {explorer.agent && (
          <p class="soft">
            Sub-agent{agent?.type ? ` ${agent.type}` : ''} of <a href={sessionAddress(explorer.id)}>{session}</a>
          </p>
        )}
        <h1 title={title}>{title}</h1>
        {outline?.is_running && <span class="badge running">running</span>}
        {hasMark ? (
          <span class="badge on" title={counted(hasMark, 'mark')}>
            ★ {hasMark}
          </span>
        ) : null}
        {outline?.presence === 'archive' && <span class="badge">only in the archive</span>}
        {outline?.presence === 'unknown' && <span class="badge">in the archive, unknown whether on disk</span>}
      </div>
      <div class="session-actions">
        {outline?.resume_command && <Copy text={outline.resume_command} label="Copy resume command" />}
        <Menu label="Export">
          <a href={address(path, { format: 'html', agent: explorer.agent })} download>
            HTML page
          </a>
          <a href={address(path, { format: 'md', agent: explorer.agent })} download>
            Markdown
          </a>
          <a href={address(path, { format: 'xml', agent: explorer.agent })} download>
            XML, for another model
          </a>
        </Menu>
        <Menu label="More" align="end">
          <button type="button" onClick={() => void explorer.copy(explorer.link(), 'Link copied.')}>
            Copy a link to this turn <kbd>y</kbd>
          </button>
          {!isReadOnly && (
            <>
              <button type="button" onClick={() => (explorer.dialog.value = { kind: 'mark', turn: explorer.at.value.turn })}>
                Mark this turn… <kbd>m</kbd>
              </button>
              <button type="button" onClick={() => (explorer.dialog.value = { kind: 'rename' })}>
                Rename…
              </button>
              <button type="button" onClick={() => (explorer.dialog.value = { kind: 'tag' })}>
                Tag…
              </button>
            </>
          )}
          <a href={address('usage', { session: explorer.id })}>Usage of this session</a>
          <a href={address('tools', { session: explorer.id })}>Tool calls of this session</a>
          <button type="button" onClick={() => void explorer.copy(explorer.id, 'Session id copied.')}>
            Copy the session id
          </button>
        </Menu>
      </div>
      {outline && <Facts outline={outline} />}
      {outline?.cwd && outline.cwd !== outline.project && <p class="soft session-folder">in {shortPath(outline.cwd)}</p>}
    </div>
  );
}
