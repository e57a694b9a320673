// What runs now: a lane for each conversation and agent, with tools as they run.

import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';
import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { type LiveEvent, runningVersion, useEvents } from '../core/events';
import { clock, count, duration, lastPart, money } from '../core/format';
import { useKeys } from '../core/keys';
import { change, parameter } from '../core/router';
import { afterEvent, type Lane, type LaneEntry } from '../live/lanes';
import { Empty, ErrorNote, Loading, PageHeading, Panel } from '../parts/basics';
import type { RunningDocument, RunningSession, WatchEventDocument } from '../schema';

/** Follows one session while it is shown. */
function Follow({ session, onEvent }: { session: string; onEvent: (event: LiveEvent) => void }) {
  useEvents(onEvent, session);
  return null;
}

function Entry({ entry, lane }: { entry: LaneEntry; lane: Lane }) {
  const to = sessionAddress(lane.session, { agent: lane.agent }, entry.uuid ? `m-${entry.uuid}` : '');
  return (
    <li class={`live-${entry.kind} ${entry.isError ? 'bad' : ''}`}>
      <a href={to}>
        <span class="soft number">{clock(entry.at)}</span> {entry.kind === 'prompt' ? '❯ ' : entry.kind === 'call' ? (entry.isError ? '✗ ' : '⏺ ') : ''}
        {entry.text.trim().slice(0, 300)}
      </a>
    </li>
  );
}

function LaneView({ lane, now, onlyErrors }: { lane: Lane; now: number; onlyErrors: boolean }) {
  const entries = onlyErrors ? lane.entries.filter(entry => entry.isError) : lane.entries;
  return (
    <div class={`live-lane ${lane.hasEnded ? 'soft' : ''}`}>
      <p class="live-lane-head">
        <b>{lane.name}</b> {lane.status && <span class="badge">{lane.status}</span>}
        {lane.contextPercent !== null && (
          <span class="soft number" title={`${count(lane.contextTokens)} tokens in the context window`}>
            <meter min={0} max={100} low={60} high={85} optimum={0} value={lane.contextPercent} aria-label="Context window" /> {Math.round(lane.contextPercent)}
            %
          </span>
        )}
        {lane.cost && <span class="soft number">{money(lane.cost)}</span>}
      </p>
      {lane.calls.map(call => (
        <p key={call.id} class="running-call">
          ▶ {call.title || call.tool} <span class="soft number">{call.startedAt && duration(Math.max(0, now - Date.parse(call.startedAt)))}</span>
        </p>
      ))}
      <ol class="plain live-entries">
        {entries
          .slice(-12)
          .reverse()
          .map(entry => (
            <Entry key={entry.key} entry={entry} lane={lane} />
          ))}
      </ol>
    </div>
  );
}

function SessionPanel({ session, lanes, now, onlyErrors }: { session: RunningSession; lanes: readonly Lane[]; now: number; onlyErrors: boolean }) {
  return (
    <Panel
      title={session.session?.title ?? session.session?.first_prompt ?? session.name ?? `Process ${session.pid}`}
      tools={
        <>
          <span class="soft">
            {[lastPart(session.session?.project ?? session.cwd), session.session?.branch, session.status].filter(Boolean).join(' · ')}
          </span>
          {session.session_id && <a href={sessionAddress(session.session_id, { follow: 1 })}>Open</a>}
        </>
      }
    >
      {lanes.length === 0 && <p class="soft">Waiting for the first event…</p>}
      <div class="live-lanes">
        {lanes.map(lane => (
          <LaneView key={lane.key} lane={lane} now={now} onlyErrors={onlyErrors} />
        ))}
      </div>
    </Panel>
  );
}

export function Live() {
  const running = useAnswer<RunningDocument>('running', {}, runningVersion);
  const lanes = useSignal<ReadonlyMap<string, Lane>>(new Map());
  const isPaused = useSignal(false);
  const now = useSignal(Date.now());
  const onlyErrors = !!parameter('errors');
  const onEvent = useCallback((event: LiveEvent) => {
    if (event.kind !== 'watch' || isPaused.peek()) return;
    lanes.value = afterEvent(lanes.peek(), event.data as WatchEventDocument);
  }, []);
  const hasCalls = [...lanes.value.values()].some(lane => lane.calls.length > 0);
  useEffect(() => {
    // The clock ticks only while something runs.
    if (!hasCalls) return;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [hasCalls]);
  const pause = () => {
    isPaused.value = !isPaused.value;
  };
  useKeys('Live', {
    p: { does: 'Pause or continue', run: pause },
    e: { does: 'Only errors', run: () => change({ errors: onlyErrors ? '' : '1' }) },
  });
  const sessions = (running.data?.running ?? []).filter(session => !session.is_stale);
  const ofSession = (id: string) => [...lanes.value.values()].filter(lane => lane.session === id);
  return (
    <>
      <PageHeading title="Live">
        <label>
          <input type="checkbox" checked={onlyErrors} onChange={() => change({ errors: onlyErrors ? '' : '1' })} /> only errors
        </label>
        <button type="button" aria-pressed={isPaused.value} onClick={pause}>
          {isPaused.value ? 'Continue' : 'Pause'}
        </button>
      </PageHeading>
      {running.error && <ErrorNote error={running.error} retry={running.reload} />}
      {!running.data && !running.error && <Loading />}
      {running.data && sessions.length === 0 && (
        <Empty title="Nothing is running.">
          A session appears here as soon as Claude Code works on it. The latest ones are in <a href={address('sessions')}>Sessions</a>.
        </Empty>
      )}
      {sessions.map(session => (
        <Fragment key={session.pid}>
          {session.session_id && <Follow session={session.session_id} onEvent={onEvent} />}
          <SessionPanel session={session} lanes={ofSession(session.session_id ?? '')} now={now.value} onlyErrors={onlyErrors} />
        </Fragment>
      ))}
    </>
  );
}
