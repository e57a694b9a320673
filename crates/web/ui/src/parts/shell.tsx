// The frame around every page: navigation, notices about the server, keys, palette.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { address, base } from '../core/base';
import { useKeys } from '../core/keys';
import { go, path } from '../core/router';
import { connection, state } from '../core/state';
import { toggleTheme } from '../core/theme';
import { DESTINATIONS, Header } from './header';
import { Help } from './help';
import { Palette } from './palette';

function Notices() {
  const { index, reveal, demo, has_store: hasStore, warnings } = state.value;
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
      {warnings?.map(warning => (
        <p class="banner bad" role="status" key={warning.message}>
          Warning: {warning.message}. <a href={address('doctor')}>Doctor</a> has the details.
        </p>
      ))}
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
      {connection.value === 'paused' && (
        <p class="banner" role="status">
          This page is not updated live: too many event streams are open. It tries again by itself; reload it to see what is new.
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
  const pages = Object.fromEntries(DESTINATIONS.map(([page, name, key]) => [`g ${key}`, { does: name, run: () => go(address(page)) }]));
  useKeys('Everywhere', {
    'Ctrl+k': { does: 'Open the command palette', everywhere: true, run: () => (open.value = open.value === 'palette' ? undefined : 'palette') },
    '?': { does: 'Show the keys', run: () => (open.value = 'help') },
    ...pages,
  });
  // On a phone the line of pages is longer than the screen.
  const page = path.value[0] ?? '';
  useEffect(() => {
    document.querySelector('.top nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [page]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header
        base={base}
        page={page}
        onPalette={() => (open.value = 'palette')}
        onTheme={toggleTheme}
        onHelp={() => (open.value = 'help')}
      />
      <Notices />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      {open.value === 'help' && <Help onClose={close('help')} />}
      {open.value === 'palette' && <Palette onClose={close('palette')} />}
    </>
  );
}
