// The request that a page makes before its scripts are loaded, and the way it gets to the code
// that asks for the same later.

interface EarlyRequest {
  url: string;
  response: Promise<Response>;
}

/** Where it waits: `early.ts` is a script of its own and shares no module with the application. */
const page = globalThis as { earlyRequest?: EarlyRequest };

export function requestEarly(url: string): void {
  const response = fetch(url, { credentials: 'same-origin', redirect: 'error', cache: 'no-store', headers: { accept: 'application/json' } });
  // The code that takes it sees the failure.
  response.catch(() => undefined);
  page.earlyRequest = { url, response };
}

/** The response to a request that was made early, once. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const early = page.earlyRequest;
  if (early?.url !== url) return undefined;
  page.earlyRequest = undefined;
  return early.response;
}
