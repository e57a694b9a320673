// Live events. HTTP/1.1 gives a browser six connections to a server, so one tab holds the
// stream for all: it has a Web Lock, and shares what arrives over a BroadcastChannel.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address, base } from './base';
import { parseHarmless } from './harmless';
import { streamDelay } from './retry';
import { connection, state } from './state';

export interface LiveEvent {
  kind: 'watch' | 'list' | 'running' | 'index' | 'reset' | 'open';
  data: unknown;
}

type Listener = (event: LiveEvent) => void;

interface Subscription {
  tab: string;
  sessions: string[];
}

const tab = crypto.randomUUID();
const channel = new BroadcastChannel(`annals${base}`);
const listeners = new Set<Listener>();
const own = new Map<string, number>();
/** What other tabs follow; known to the leader. */
const others = new Map<string, { sessions: string[]; seen: number }>();
let isLeader = false;
let source: EventSource | undefined;
let followed = '';
/** How often in a row no stream was given, and the timer of the next attempt. */
let refusals = 0;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Changes when the index is whole again: answers from a part of it are asked for once more. */
export const indexVersion = signal(0);
/** Increases when the list of sessions may have changed. */
export const listVersion = signal(0);
/** Increases when what runs may have changed. */
export const runningVersion = signal(0);

function deliver(event: LiveEvent): void {
  if (event.kind === 'list' || event.kind === 'reset') listVersion.value++;
  if (event.kind === 'running' || event.kind === 'reset') runningVersion.value++;
  if (event.kind === 'index') {
    const index = event.data as typeof state.value.index;
    const wasFresh = state.value.index?.state === 'fresh';
    state.value = { ...state.value, index };
    if (index?.state === 'fresh' && !wasFresh) indexVersion.value++;
  }
  for (const listener of listeners) listener(event);
}

function sessions(): string[] {
  return [...own.keys()];
}

function connect(): void {
  if (!isLeader) return;
  const now = Date.now();
  for (const [name, other] of others) if (now - other.seen > 90_000) others.delete(name);
  const all = [...new Set([...sessions(), ...[...others.values()].flatMap(other => other.sessions)])].sort();
  const query = `list=1${all.length > 0 ? `&session=${all.map(encodeURIComponent).join(',')}` : ''}`;
  const isOpenOrWaits = retry !== undefined || (source && source.readyState !== EventSource.CLOSED);
  if (isOpenOrWaits && query === followed) return;
  clearTimeout(retry);
  retry = undefined;
  followed = query;
  source?.close();
  source = new EventSource(`${address('api/1/events')}?${query}`);
  const pass = (kind: LiveEvent['kind']) => (message: MessageEvent<string>) => {
    const event: LiveEvent = { kind, data: message.data ? parseHarmless(message.data) : null };
    channel.postMessage({ event });
    deliver(event);
  };
  for (const kind of ['watch', 'list', 'running', 'index', 'reset'] as const) source.addEventListener(kind, pass(kind));
  source.onopen = () => {
    refusals = 0;
    if (connection.value === 'stopped' || connection.value === 'paused') connection.value = 'ok';
    const event: LiveEvent = { kind: 'open', data: null };
    channel.postMessage({ event });
    deliver(event);
  };
  source.onerror = () => {
    // The browser connects again by itself unless the server refused.
    if (source?.readyState === EventSource.CLOSED) {
      void check();
      retry = setTimeout(() => {
        retry = undefined;
        connect();
      }, streamDelay(refusals++));
    } else {
      connection.value = 'stopped';
    }
  };
}

/** Finds out why the stream ended: the server stopped, another process runs in its place, or it has too many streams. */
async function check(): Promise<void> {
  try {
    const response = await fetch(address('api/1/state'), { credentials: 'same-origin', cache: 'no-store' });
    if (response.status === 401 || response.status === 403) connection.value = 'closed';
    else if (response.ok) {
      const answer = parseHarmless(await response.text()) as typeof state.value;
      connection.value = answer.process === state.value.process ? 'paused' : 'restarted';
    }
  } catch {
    connection.value = 'stopped';
  }
}

function announce(): void {
  const subscription: Subscription = { tab, sessions: sessions() };
  channel.postMessage({ subscription });
  connect();
}

channel.onmessage = (message: MessageEvent<{ event?: LiveEvent; subscription?: Subscription; asks?: boolean; leaves?: string }>) => {
  const { event, subscription, asks, leaves } = message.data;
  if (event) deliver(event);
  if (asks) announce();
  if (leaves) others.delete(leaves);
  if (subscription && subscription.tab !== tab) {
    others.set(subscription.tab, { sessions: subscription.sessions, seen: Date.now() });
    connect();
  }
};

/** Starts the stream, in whichever tab comes to lead. */
export function startEvents(): void {
  setInterval(announce, 30_000);
  addEventListener('pagehide', () => channel.postMessage({ leaves: tab }));
  const lead = () => {
    isLeader = true;
    channel.postMessage({ asks: true });
    connect();
    // Held until the tab is closed.
    return new Promise<void>(() => {});
  };
  if (navigator.locks) void navigator.locks.request(`annals${base}`, lead);
  else void lead();
}

/** Calls back with every event while the component is shown. */
export function useEvents(listener: Listener, session?: string): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
  useEffect(() => {
    if (!session) return;
    own.set(session, (own.get(session) ?? 0) + 1);
    announce();
    return () => {
      const left = (own.get(session) ?? 1) - 1;
      if (left > 0) own.set(session, left);
      else own.delete(session);
      announce();
    };
  }, [session]);
}
