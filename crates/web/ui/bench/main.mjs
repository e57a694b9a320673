// Measures the web app in a real browser, and prints one JSON document: rows with a budget each.
// `cargo xtask bench --only web` makes a table of it.

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, median, sleep } from './measure.mjs';
import { emptyPaint, emptyServer, home, jumpToEnd, openSession, readable, scrollThrough, signIn, writtenLine } from './pages.mjs';
import { measurePeer } from './peer.mjs';
import { askRoute, assetSizes, cpu, memory, routes, serve, warm } from './server.mjs';
import { Author, makeStore, SESSIONS } from './store.mjs';

const { ANNALS: binary, STORE: given, FOLDER: folder, BESIDE: beside, AGENTSVIEW: agentsview } = process.env;
const runs = Number(process.env.RUNS ?? 5);
const say = text => console.error(`measuring ${text}`);
const ids = Object.fromEntries(Object.entries(SESSIONS).map(([name, { id }]) => [name, id]));
const rows = [];
/** A row: samples in milliseconds, bytes or numbers, and the most that is allowed. */
const add = (name, unit, samples, budget, note) => {
  const known = samples.filter(sample => sample !== undefined);
  rows.push({ name, unit, samples: known, budget, note });
  console.error(`  ${name}: ${known.length > 0 ? Math.round(median(known)) : 'not reached'} ${unit}`);
};
const times = async run => {
  const samples = [];
  for (let number = 0; number < runs; number++) samples.push(await run(number));
  return samples;
};

const { store, project, paths } = makeStore(given, folder);
const homeFolder = join(folder, 'home');
say('the index');
let server = await serve(binary, store, homeFolder);
await warm(server);
await server.stop();

say('starts');
add('start to address', 'ms', await times(async () => {
  const started = await serve(binary, store, homeFolder);
  await started.stop();
  return started.started;
}), 50);

const browser = await launch();
const empty = await emptyServer();
// The first page of a browser takes longer, whatever it is.
await emptyPaint(browser, empty.address);
add('empty page, first paint', 'ms', await times(() => emptyPaint(browser, empty.address)));
add('empty page in a new process, first paint', 'ms', await times(() => emptyPaint(browser, `${empty.address}isolated`)));

/** A server that has not opened any session yet. */
const restart = async () => {
  await server.stop();
  server = await serve(binary, store, homeFolder);
  return signIn(browser, server);
};
server = await serve(binary, store, homeFolder);
await sleep(3_000);
const idle = memory(server.pid).now;
let state = await signIn(browser, server);

say('home');
const homes = await times(() => home(browser, server, state));
add('home, first paint', 'ms', homes.map(({ painted }) => painted), 200);
add('home, complete', 'ms', homes.map(({ complete }) => complete), 500);

say('sessions');
const cold = { medium: [], large: [] };
const again = { medium: [], large: [] };
for (let run = 0; run < runs; run++) {
  state = await restart();
  for (const name of ['medium', 'large']) {
    const times = await readable(browser, server, state, ids[name]);
    cold[name].push(times.cold);
    again[name].push(times.again);
  }
}
add('session of 4.2 MB, readable, cold', 'ms', cold.medium, 300);
add('session of 4.2 MB, readable, again', 'ms', again.medium);
add('session of 15 MB and 20,000 lines, readable, cold', 'ms', cold.large, 700);
add('session of 15 MB and 20,000 lines, readable, again', 'ms', again.large, 150);

const ends = { large: [], turn: [] };
for (const name of ['large', 'turn']) {
  await times(async () => {
    const { context, page } = await openSession(browser, server, state, ids[name]);
    ends[name].push(await jumpToEnd(page));
    await context.close();
  });
}
add('session of 15 MB, jump to the end', 'ms', ends.large, 100);
add('one turn with 3,000 calls, jump to the end', 'ms', ends.turn, 100);

say('scrolling');
for (const [name, shown] of [['large', 'session of 15 MB'], ['turn', 'one turn with 3,000 calls']]) {
  const { context, page } = await openSession(browser, server, state, ids[name]);
  const { heap, nodes, elements } = await scrollThrough(page);
  add(`${shown}, heap after scrolling through it`, 'bytes', [heap], 30e6);
  add(`${shown}, nodes after scrolling through it`, 'number', [nodes], 15_000, `${elements} elements in the document`);
  await context.close();
}

say('a written line');
const author = new Author('00000000-0000-4000-8000-0000000000a4');
const growing = join(project, `${author.id}.jsonl`);
author.time = Date.now();
writeFileSync(growing, author.prompt('Say something now and then.') + author.answer({ type: 'text', text: 'Yes.' }));
await sleep(2_000);
const growingPage = await openSession(browser, server, state, author.id);
await growingPage.page.keyboard.press('.');
add('written line to the screen', 'ms', await times(run => writtenLine(growingPage.page, growing, author, run)), 150);
await growingPage.context.close();

say('assets');
for (const [path, name] of [['', 'home'], [`s/${ids.medium}`, 'session'], ['usage', 'usage']]) {
  const context = await browser.newContext({ storageState: state });
  const page = await context.newPage();
  await page.goto(server.address + path);
  await page.waitForSelector('main#main h1, main#main section');
  await sleep(1_000);
  const sizes = await assetSizes(page, server.address);
  add(`scripts of ${name} (gzip -9)`, 'bytes', [sizes.scripts], 80_000);
  if (name === 'home') add('styles (gzip -9)', 'bytes', [sizes.styles], 15_000);
  await context.close();
}

say('answers');
for (const route of routes(ids)) {
  const { p95, bytes, failure } = await askRoute(server, route, 20).catch(error => ({ failure: error.message.replace(/^.*: /, 'status ') }));
  const shown = route.replace(ids.large, 'LARGE').replace(ids.turn, 'TURN').replace(/since=[\d-]+/, 'since=30d');
  add(`${shown}, p95`, 'ms', [p95], 100, failure);
  add(`${shown}, size`, 'bytes', [bytes], 100_000, failure);
}

say('the idle server');
const busy = memory(server.pid).most;
await sleep(2_000);
const before = cpu(server.pid);
await sleep(10_000);
add('server, memory when idle', 'bytes', [idle], 40e6);
add('server, memory when busy', 'bytes', [busy], 150e6);
add('server, CPU in ten idle seconds', 'ms', [cpu(server.pid) - before], 0);
await server.stop();
await browser.close();
empty.stop();

const size = statSync(binary).size;
if (beside) add('binary, more than the one beside it', 'bytes', [Math.max(size - statSync(beside).size, 0)], 2.5e6);
else add('binary', 'bytes', [size], undefined, 'pass --beside BINARY to compare it with a build without the web app');

let peer = { missing: 'agentsview is not installed' };
if (agentsview) {
  say('agentsview');
  peer = await measurePeer(agentsview, store, folder, ids, runs).catch(error => ({ missing: String(error.message ?? error) }));
}
console.log(JSON.stringify({ rows, peer }));
