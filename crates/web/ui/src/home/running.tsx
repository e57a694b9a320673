// Sessions that run now: how full their context is, and which tool works.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../core/api';
import { sessionAddress } from '../core/base';
import { type LiveEvent, useEvents } from '../core/events';
import { duration, lastPart, money } from '../core/format';
import type { ContextDocument, RunningSession } from '../schema';
import { after, IDLE, type WatchEvent } from './activity';

export function Running({ sessions }: { sessions: readonly RunningSession[] }) {
  const live = sessions.filter(one => !one.is_stale && one.session_id);
  if (live.length === 0) return <p class="soft">No session is running.</p>;
  return (
    <ul class="running-list">
      {live.map(one => (
        <RunningRow key={one.session_id} running={one} id={one.session_id ?? ''} />
      ))}
    </ul>
  );
}

function RunningRow({ running, id }: { running: RunningSession; id: string }) {
  const context = useAnswer<ContextDocument>(`sessions/${encodeURIComponent(id)}/context`, { points: 1 });
  const activity = useSignal(IDLE);
  const listen = useRef((event: LiveEvent) => {
    const data = event.data as WatchEvent | null;
    if (event.kind === 'watch' && data?.session_id === id) activity.value = after(activity.peek(), data);
  });
  useEvents(listen.current, id);
  const window = context.data?.window;
  const known = window?.limit_tokens ? Math.round((100 * window.last_tokens) / window.limit_tokens) : null;
  const percent = activity.value.contextPercent ?? known;
  const call = activity.value.calls.at(-1);
  const cost = activity.value.costUsd ?? running.session?.cost_usd;
  const status = activity.value.status ?? running.status;
  const title = running.session?.title ?? running.session?.summary ?? running.name ?? id.slice(0, 8);
  return (
    <li>
      <span class={`pulse ${status === 'idle' || status === 'waiting' ? 'rests' : ''}`} aria-hidden="true" />
      <a class="cut" href={sessionAddress(id)}>
        {title}
      </a>
      <span class="soft cut">{lastPart(running.session?.project ?? running.cwd)}</span>
      <span class="running-tool">
        {call ? (
          <>
            <b>{call.tool}</b> <span class="cut soft">{call.title}</span> <Ticking since={call.startedAt} />
          </>
        ) : (
          <span class="soft">{status ?? ''}</span>
        )}
      </span>
      {percent !== null && (
        <span class="gauge" title={`${percent}% of the context window`}>
          <meter min={0} max={100} high={80} value={percent} aria-label="Context window">
            {percent}%
          </meter>{' '}
          {percent}%
        </span>
      )}
      {cost && <span class="number">{money(cost)}</span>}
    </li>
  );
}

/** Seconds since a time, counted while it is shown. */
function Ticking({ since }: { since: string | null }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  if (!since) return null;
  return <span class="number soft">{duration(Math.max(0, now.value - Date.parse(since)))}</span>;
}
