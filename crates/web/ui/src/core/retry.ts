// How long to wait before something is asked for again that the server had no room for.

/** How often a request is sent again. The server has not begun a request that it refused. */
export const MOST_REFUSALS = 4;

/** How many milliseconds to wait before a refused request is sent again: what the server asks for, and longer each time. */
export function refusalDelay(response: Response, refusals: number): number {
  const seconds = Number(response.headers.get('retry-after') ?? 2);
  return Math.min(Number.isFinite(seconds) ? Math.max(seconds, 1) : 2, 10) * 1_000 * refusals;
}

/** How many milliseconds to wait before a refused stream is asked for again. */
export function streamDelay(refusals: number): number {
  return Math.min(3_000 * 2 ** refusals, 60_000);
}

/** Waits, unless nobody wants the answer any more. */
export function wait(milliseconds: number, abort: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(new DOMException('nobody waits for the answer', 'AbortError'));
    };
    const timer = setTimeout(() => {
      abort?.removeEventListener('abort', leave);
      resolve();
    }, milliseconds);
    if (abort?.aborted) leave();
    else abort?.addEventListener('abort', leave, { once: true });
  });
}
