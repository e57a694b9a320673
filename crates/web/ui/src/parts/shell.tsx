// The frame around every page: navigation, notices about the server, keys, palette.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { address } from '../core/base';
import { useKeys } from '../core/keys';
import { go, path } from '../core/router';
import { connection, state } from '../core/state';
import { toggleTheme } from '../core/theme';
import { Help } from './help';
import { Palette } from './palette';

const MAIN = [
  ['', 'Home', 'h'],
  ['sessions', 'Sessions', 's'],
  ['search', 'Search', '/'],
  ['usage', 'Usage', 'u'],
  ['files', 'Files', 'f'],
  ['tools', 'Tools', 't'],
  ['live', 'Live', 'l'],
] as const;

const MORE = [
  ['archive', 'Archive', 'a'],
  ['doctor', 'Doctor', 'd'],
  ['sql', 'SQL', 'q'],
  ['settings', 'Settings', ','],
] as const;

/** Pages that belong to an entry of the navigation. */
const BELONGS: Record<string, string> = { s: 'sessions', prompts: 'sessions', plans: 'sessions', marks: 'sessions', commits: 'files' };

function NavigationLink({ page, name, hint }: { page: string; name: string; hint: string }) {
  const first = path.value[0] ?? '';
  const isHere = (BELONGS[first] ?? first) === page;
  return (
    <a href={address(page)} aria-current={isHere ? 'page' : undefined} title={`g ${hint}`}>
      {name}
    </a>
  );
}

function Notices() {
  const { index, reveal, demo, has_store: hasStore } = state.value;
  return (
    <>
      {reveal && (
        <p class="banner bad" role="status">
          Secrets are shown: this server was started with <code>--reveal</code>.
        </p>
      )}
      {demo && (
        <p class="banner" role="status">
          This is made-up data. Stop the server and run <code>annals web</code> to see your own sessions.
        </p>
      )}
      {hasStore === false && (
        <p class="banner bad" role="status">
          No Claude Code data found. Use Claude Code once, or start the server with <code>--root DIR</code> or <code>--demo</code>.
        </p>
      )}
      {index?.state === 'building' && (
        <p class="banner" role="status">
          The index is being built{index.total ? `: ${Math.floor((100 * index.done) / index.total)}%` : ''}. Answers are complete when it is done.
        </p>
      )}
      {connection.value === 'stopped' && (
        <p class="banner bad" role="alert">
          The server does not answer. Start it again with <code>annals web</code>; this page continues by itself.
        </p>
      )}
      {connection.value === 'closed' && (
        <p class="banner bad" role="alert">
          This page is no longer signed in: the server was restarted. Run <code>annals web</code> to open it again.
        </p>
      )}
      {connection.value === 'restarted' && (
        <p class="banner" role="alert">
          The server was restarted.{' '}
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
    </>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  const open = useSignal<'help' | 'palette' | undefined>(undefined);
  // A dialog closes a moment after it was asked to, when another one may be open already.
  const close = (dialog: 'help' | 'palette') => () => {
    if (open.value === dialog) open.value = undefined;
  };
  const pages = Object.fromEntries([...MAIN, ...MORE].map(([page, name, key]) => [`g ${key}`, { does: name, run: () => go(address(page)) }]));
  useKeys('Everywhere', {
    'Ctrl+k': { does: 'Open the command palette', everywhere: true, run: () => (open.value = open.value === 'palette' ? undefined : 'palette') },
    '?': { does: 'Show the keys', run: () => (open.value = 'help') },
    ...pages,
  });
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={address('')}>
          annals
        </a>
        <nav aria-label="Pages">
          {MAIN.map(([page, name, key]) => (
            <NavigationLink key={page} page={page} name={name} hint={key} />
          ))}
          <span class="more">
            {MORE.map(([page, name, key]) => (
              <NavigationLink key={page} page={page} name={name} hint={key} />
            ))}
          </span>
        </nav>
        <div class="top-tools">
          <button type="button" onClick={() => (open.value = 'palette')} title="Ctrl+K">
            Go to… <kbd>Ctrl K</kbd>
          </button>
          <button type="button" onClick={toggleTheme} aria-label="Light or dark" title="Light or dark">
            ◐
          </button>
          <button type="button" onClick={() => (open.value = 'help')} aria-label="Keys" title="Keys">
            ?
          </button>
        </div>
      </header>
      <Notices />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {open.value === 'help' && <Help onClose={close('help')} />}
      {open.value === 'palette' && <Palette onClose={close('palette')} />}
    </>
  );
}
