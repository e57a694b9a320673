// What people wait for: Home, a session, its end, a line that is written.

import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { firstPaint, newPage, now, quiet, sleep, weigh } from './measure.mjs';

/**
 * A page with one word, from a server that does nothing else. At `isolated` it has the header of
 * the app's pages for which a browser starts a new process when it comes from another page.
 */
export async function emptyServer() {
  const server = createServer((request, response) => {
    if (request.url === '/isolated') response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>empty</title><p>empty');
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

export async function signIn(browser, server) {
  const { context, page } = await newPage(browser);
  await page.goto(server.url);
  await page.waitForURL(url => !url.pathname.endsWith('/enter'));
  const state = await context.storageState();
  await context.close();
  return state;
}

export async function emptyPaint(browser, address) {
  const { context, page } = await newPage(browser);
  await page.goto(address);
  const painted = await firstPaint(page);
  await context.close();
  return painted;
}

/** Home in an empty cache: its first paint, and when nothing changed any more. */
export async function home(browser, server, state) {
  const { context, page } = await newPage(browser, state);
  await page.goto(server.address, { waitUntil: 'commit' });
  const complete = await quiet(page, { isReady: () => document.querySelector('main#main h1') && !document.querySelector('.loading') });
  const painted = await firstPaint(page);
  await context.close();
  return { painted, complete };
}

/** When the first turns of a session are on the screen: in a new tab, and again later, coming from Home. */
export async function readable(browser, server, state, id) {
  const { context, page } = await newPage(browser, state);
  const read = async () => {
    await page.goto(`${server.address}s/${id}`, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.querySelector('section[data-turn] .m') && globalThis.benchSeen.painted, null, { polling: 20 });
    // The server puts the turns into the page, so they are painted with its first paint.
    return firstPaint(page);
  };
  const cold = await read();
  await quiet(page, { isReady: () => document.querySelector('main#main .chunk') && !document.querySelector('.loading') });
  await page.goto(server.address, { waitUntil: 'commit' });
  await quiet(page, { isReady: () => document.querySelector('main#main h1') && !document.querySelector('.loading') });
  const again = await read();
  await context.close();
  return { cold, again };
}

/** A page of a session on which everything has been loaded. */
export async function openSession(browser, server, state, id) {
  const { context, page } = await newPage(browser, state);
  await page.goto(`${server.address}s/${id}`);
  await quiet(page, { isReady: () => document.querySelector('main#main .chunk') && !document.querySelector('.loading') });
  return { context, page };
}

/** How long the key that goes to the end takes until the end is on the screen. */
export async function jumpToEnd(page) {
  // The key may arrive before what is evaluated after it: the page listens first.
  await page.evaluate(() => {
    globalThis.benchJump = new Promise(resolve => {
      addEventListener(
        'keydown',
        () => {
          const begun = performance.now();
          const look = () => {
            const last = document.querySelector('.chunk:last-child');
            const message = [...(last?.querySelectorAll('.m') ?? [])].at(-1)?.getBoundingClientRect();
            const isShown = message && message.height > 0 && message.top < innerHeight && message.bottom > 0;
            // Two frames later it has been painted.
            if (isShown) requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begun)));
            else requestAnimationFrame(look);
          };
          look();
        },
        { once: true, capture: true },
      );
    });
  });
  await page.keyboard.press('.');
  const time = await Promise.race([page.evaluate(() => globalThis.benchJump), sleep(60_000).then(() => undefined)]);
  await page.keyboard.press('.');
  return time;
}

/** Scrolls through a whole session, as fast as it is drawn, and weighs the page at the end. */
export async function scrollThrough(page) {
  await page.evaluate(async () => {
    scrollTo(0, 0);
    const frame = () => new Promise(requestAnimationFrame);
    let still = 0;
    while (still < 40) {
      const before = scrollY;
      scrollBy({ top: innerHeight * 0.9, behavior: 'instant' });
      await frame();
      // What is on the screen is read before going on.
      for (let waited = 0; waited < 100 && [...document.querySelectorAll('.chunk')].some(chunk => !chunk.firstElementChild && chunk.getBoundingClientRect().top < innerHeight && chunk.getBoundingClientRect().bottom > 0); waited++) {
        await new Promise(resolve => setTimeout(resolve, 10));
      }
      still = scrollY === before ? still + 1 : 0;
    }
  });
  await sleep(1_500);
  return weigh(page);
}

/** How long a line that is written takes to the screen. */
export async function writtenLine(page, path, author, run) {
  const words = `written line number ${run} of this run`;
  const waiting = page.evaluate(
    words =>
      new Promise(resolve => {
        const look = () => {
          const last = document.querySelector('.chunk:last-child');
          if (last?.textContent?.includes(words)) requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
          else requestAnimationFrame(look);
        };
        look();
      }),
    words,
  );
  await sleep(1_000);
  const line = author.answer({ type: 'text', text: words });
  const begun = now();
  appendFileSync(path, line);
  const seen = await Promise.race([waiting, sleep(10_000).then(() => undefined)]);
  return seen === undefined ? undefined : seen - begun;
}
