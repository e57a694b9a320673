// The application starts here: one component per page, chosen by the path.

import './styles/app.css';
import { signal } from '@preact/signals';
import { render } from 'preact';
import './core/everywhere';
import { startEvents } from './core/events';
import { hasFirstTurns, painted } from './core/first';
import { path } from './core/router';
import { loadPages, type Pages } from './groups';
import { Unknown } from './pages/unknown';
import { ErrorNote, Loading } from './parts/basics';
import { Shell } from './parts/shell';

/** The pages that are loaded, by the first part of their paths; an error where that failed. */
const loaded = signal<Record<string, Pages | Error | undefined>>({});

async function load(page: string): Promise<void> {
  let pages: Pages | Error | undefined;
  try {
    pages = await loadPages(page);
  } catch {
    // The script is gone if the server is, or if it has been upgraded.
    pages = new Error('This page could not be loaded: the server has stopped, or was upgraded.');
  }
  loaded.value = { ...loaded.value, [page]: pages };
}

function Page() {
  const [page = ''] = path.value;
  if (!(page in loaded.value)) {
    void load(page);
    return <Loading />;
  }
  const pages = loaded.value[page];
  if (pages instanceof Error) return <ErrorNote error={pages} retry={() => location.reload()} />;
  return <>{pages?.[page]?.(path.value) ?? <Unknown />}</>;
}

const root = document.getElementById('app');
if (root) {
  // The server puts the bar above the page into it, and the first turns of a session. They are on
  // the screen before this script runs and stay until the page can be drawn.
  if (hasFirstTurns) await painted();
  // Before the page: what it shows is then followed from the beginning.
  startEvents();
  await load(path.value[0] ?? '');
  // Preact draws beside what is there.
  root.replaceChildren();
  render(
    <Shell>
      <Page />
    </Shell>,
    root,
  );
}
