// What a reader must know before reading: where the session is, which part is shown, what is new.

import { useSignal } from '@preact/signals';
import { act } from '../core/api';
import { appOf, counted } from '../core/format';
import { state } from '../core/state';
import { ErrorNote } from '../parts/basics';
import type { Explorer } from './explorer';
import type { Live } from './live';

const REASONS: Record<string, string> = { edit: 'a prompt was edited', rewind: 'the conversation was rewound', retry: 'an answer was tried again' };

function ArchiveNote({ explorer }: { explorer: Explorer }) {
  // No file of another app is ever written.
  const isOfClaude = appOf(explorer.id) === 'claude';
  const isRestoring = useSignal(false);
  const error = useSignal<Error | undefined>(undefined);
  const restore = async () => {
    isRestoring.value = true;
    error.value = undefined;
    try {
      await act('archive/restore', { session: explorer.id });
      explorer.say('Restored: Claude Code lists this session again.');
      explorer.reload.value++;
    } catch (reason) {
      error.value = reason instanceof Error ? reason : new Error(String(reason));
    } finally {
      isRestoring.value = false;
    }
  };
  return (
    <div class="note">
      <p>This session is only in the archive: {isOfClaude ? 'Claude Code' : 'its app'} no longer has it.</p>
      {!isOfClaude ? null : state.value.read_only ? (
        <p class="soft">
          Run <code>annals archive restore {explorer.id.slice(0, 8)}</code> to put it back.
        </p>
      ) : (
        <button type="button" disabled={isRestoring.value} onClick={() => void restore()}>
          Restore it
        </button>
      )}
      {error.value && <ErrorNote error={error.value} />}
    </div>
  );
}

function PartNote({ explorer }: { explorer: Explorer }) {
  const { part } = explorer.view.value;
  const outline = explorer.outline.value;
  if (part === 'main' || !outline) return null;
  const branch = outline.branches.find(branch => part === `b${branch.number}`);
  const orphan = outline.orphans.find(orphan => part === `o${orphan.number}`);
  const text = branch
    ? `Abandoned branch ${branch.number}: ${REASONS[branch.reason] ?? branch.reason}${branch.before_turn ? ` before turn ${branch.before_turn}` : ''}. It has ${counted(branch.messages, 'message')}.`
    : orphan
      ? `Orphaned segment ${orphan.number}: the record before it is missing. It has ${counted(orphan.messages, 'message')}.`
      : `Only generation ${part.slice(4)} is shown.`;
  return (
    <div class="note part-note">
      <span>{text}</span>
      <button type="button" onClick={() => explorer.setView({ part: 'main' })}>
        Show the current branch
      </button>
    </div>
  );
}

export function Notices({ explorer, live, error, retry }: { explorer: Explorer; live: Live; error: Error | undefined; retry: () => void }) {
  const outline = explorer.outline.value;
  const fresh = live.newRecords();
  const seen = live.seen.value;
  return (
    <>
      {error && <ErrorNote error={error} retry={retry} />}
      {explorer.error.value && (
        <ErrorNote
          error={explorer.error.value}
          retry={() => {
            explorer.error.value = undefined;
            explorer.window?.again();
          }}
        />
      )}
      {outline?.presence === 'archive' && <ArchiveNote explorer={explorer} />}
      {outline?.presence === 'unknown' && (
        <div class="note">
          <p>
            This session is shown from the archive. It is unknown whether its app still has it, because not everything of the app can be read.
          </p>
        </div>
      )}
      <PartNote explorer={explorer} />
      {outline && fresh > 0 && seen && (
        <div class="note part-note">
          <span>{counted(fresh, 'new record')} since you last read to the end.</span>
          <button type="button" onClick={() => void explorer.goToMessage(seen.uuid, { part: 'main', turn: seen.turn })}>
            Go to what is new
          </button>
        </div>
      )}
      {outline && outline.turns.length === 0 && outline.orphans.length === 0 && (
        <div class="note">
          <p>This session has no conversation.</p>
        </div>
      )}
    </>
  );
}
