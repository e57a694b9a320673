// Requests for JSON documents. Answers are kept in memory with their ETags and never on disk:
// transcripts are private.

import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { address, type Parameters } from './base';
import { takeEarly } from './early_request';
import { parseHarmless } from './harmless';
import { MOST_REFUSALS, refusalDelay, wait } from './retry';
import { connection, state } from './state';

/** An error the server explained, or a failure to reach it. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly hint?: string,
  ) {
    super(message);
  }
}

interface Kept {
  etag: string;
  body: unknown;
}

const MOST_KEPT = 60;
const kept = new Map<string, Kept>();

function keep(url: string, etag: string | null, body: unknown): void {
  kept.delete(url);
  if (!etag) return;
  kept.set(url, { etag, body });
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}

/** The last answer to a request, if it is still in memory. */
export function remembered<T>(path: string, parameters: Parameters = {}): T | undefined {
  return kept.get(address(`api/1/${path}`, parameters))?.body as T | undefined;
}

/** Says whether the server can be reached; 401 means that its process was replaced. */
function observe(status: number): void {
  if (status === 401 || status === 403) connection.value = 'closed';
  else if (connection.value === 'stopped') connection.value = 'ok';
}

export async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  for (let refusals = 1; ; refusals++) {
    try {
      response = await (takeEarly(url) ?? fetch(url, { credentials: 'same-origin', redirect: 'error', ...init }));
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      connection.value = 'stopped';
      throw new ApiError('The server does not answer.', 0, 'Start it again with `annals web`.');
    }
    if (response.status !== 429 || refusals > MOST_REFUSALS) break;
    await wait(refusalDelay(response, refusals), init.signal);
  }
  observe(response.status);
  if (response.ok || response.status === 304) return response;
  const text = await response.text();
  let message = `The server answered with ${response.status}.`;
  let hint: string | undefined;
  try {
    const body = parseHarmless(text) as { error?: string; hint?: string };
    message = body.error ?? message;
    hint = body.hint;
  } catch {
    // Not a document of annals: the status has to do.
  }
  throw new ApiError(message, response.status, hint);
}

/** Adds the lists of the next piece of a document to those of the pieces before it. */
export function addPiece(whole: Record<string, unknown>, piece: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(piece)) {
    const list = whole[name];
    if (Array.isArray(list) && Array.isArray(value)) for (const one of value) list.push(one);
  }
}

/** How often a document is read again from its first piece because it changed meanwhile. */
const MOST_TRIES = 4;

/** Reads a document. A large one comes in pieces. */
export async function get<T>(path: string, parameters: Parameters = {}, abort?: AbortSignal): Promise<T> {
  const url = address(`api/1/${path}`, parameters);
  for (let tries = 1; ; tries++) {
    const known = kept.get(url);
    const response = await send(url, {
      headers: { accept: 'application/json', ...(known && { 'if-none-match': known.etag }) },
      cache: 'no-store',
      signal: abort ?? null,
    });
    if (response.status === 304 && known) return known.body as T;
    const body = parseHarmless(await response.text());
    try {
      for (let next = response.headers.get('x-next-piece'); next; ) {
        const more = await send(address(`api/1/${path}`, { ...parameters, piece: next }), { cache: 'no-store', signal: abort ?? null });
        addPiece(body as Record<string, unknown>, parseHarmless(await more.text()) as Record<string, unknown>);
        next = more.headers.get('x-next-piece');
      }
    } catch (error) {
      // A running session has grown: its pieces would not belong together.
      if (error instanceof ApiError && error.status === 409 && tries < MOST_TRIES) continue;
      throw error;
    }
    keep(url, response.headers.get('etag'), body);
    return body as T;
  }
}

/** Performs an action. Absent in a read-only server. */
export async function act<T>(path: string, body: unknown): Promise<T> {
  const response = await send(address(`api/1/${path}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-annals': state.value.token ?? '' },
    body: JSON.stringify(body),
  });
  return parseHarmless(await response.text()) as T;
}

export interface Answer<T> {
  /** The newest answer, or an older one while another is on its way. */
  data: T | undefined;
  error: Error | undefined;
  isLoading: boolean;
  /** Asks again. */
  reload: () => void;
}

/**
 * The answer to a request, asked again when the parameters change. Pass `null` as the path to
 * ask for nothing. `version` is a signal whose changes ask again, for live data.
 */
export function useAnswer<T>(path: string | null, parameters: Parameters = {}, version?: { value: unknown }): Answer<T> {
  const data = useSignal<T | undefined>(path === null ? undefined : remembered<T>(path, parameters));
  const error = useSignal<Error | undefined>(undefined);
  const isLoading = useSignal(path !== null);
  const again = useSignal(0);
  const asked = useRef('');
  useSignalEffect(() => {
    version?.value;
    if (asked.current) again.value = again.peek() + 1;
  });
  const key = path === null ? '' : address(path, parameters);
  useEffect(() => {
    if (path === null) return;
    const isOther = asked.current !== key;
    asked.current = key;
    if (isOther) data.value = remembered<T>(path, parameters) ?? data.peek();
    const abort = new AbortController();
    isLoading.value = true;
    get<T>(path, parameters, abort.signal).then(
      answer => {
        data.value = answer;
        error.value = undefined;
        isLoading.value = false;
      },
      (reason: unknown) => {
        if (abort.signal.aborted) return;
        error.value = reason instanceof Error ? reason : new Error(String(reason));
        isLoading.value = false;
      },
    );
    return () => abort.abort();
  }, [key, again.value]);
  return {
    data: data.value,
    error: error.value,
    isLoading: isLoading.value,
    reload: () => {
      again.value = again.peek() + 1;
    },
  };
}
