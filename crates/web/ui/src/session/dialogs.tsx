// Small dialogs: a raw record, a mark, the tag and the title.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { act, useAnswer } from '../core/api';
import { Awaited, Copy, ErrorNote } from '../parts/basics';
import { Dialog } from '../parts/dialog';
import type { RecordsDocument } from '../schema';
import { Details } from './details';
import type { Explorer } from './explorer';
import { Outline } from './outline';
import { recordText } from './record_text';

function RecordDialog({ explorer, uuid, agent, onClose }: { explorer: Explorer; uuid: string; agent: string; onClose: () => void }) {
  const answer = useAnswer<RecordsDocument>(`sessions/${encodeURIComponent(explorer.id)}/records`, { uuid, agent });
  return (
    <Dialog label="Raw record" onClose={onClose} class="record">
      <Awaited answer={answer}>
        {data => {
          const text = data.records.map(record => recordText(record.raw ?? record.raw_base64 ?? '')).join('\n\n');
          return (
            <>
              <div class="record-head">
                <h2>Raw record</h2>
                <span class="mono soft cut">{data.records[0] ? `line ${data.records[0].line}, ${uuid}` : uuid}</span>
                <Copy text={text} />
                <button type="button" onClick={onClose}>
                  Close
                </button>
              </div>
              <pre tabIndex={0} class="h">
                {text || 'The transcript has no such record.'}
              </pre>
            </>
          );
        }}
      </Awaited>
      {answer.error && (
        <button type="button" onClick={onClose}>
          Close
        </button>
      )}
    </Dialog>
  );
}

interface FieldProps {
  explorer: Explorer;
  label: string;
  hint: string;
  name: string;
  value: string;
  save: (value: string) => Promise<unknown>;
  said: string;
  /** Removes what is there; shown if there is something. */
  remove?: () => Promise<unknown>;
  removeLabel?: string;
  isRequired?: boolean;
  onClose: () => void;
}

/** One field, saved by the server. */
function FieldDialog({ explorer, label, hint, name, value, save, said, remove, removeLabel, isRequired, onClose }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const error = useSignal<Error | undefined>(undefined);
  const isSaving = useSignal(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const perform = async (action: () => Promise<unknown>) => {
    isSaving.value = true;
    error.value = undefined;
    try {
      await action();
      explorer.reload.value++;
      explorer.say(said);
      onClose();
    } catch (reason) {
      error.value = reason instanceof Error ? reason : new Error(String(reason));
    } finally {
      isSaving.value = false;
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (text || !isRequired) void perform(() => save(text));
  };
  return (
    <Dialog label={label} onClose={onClose} class="field">
      <form onSubmit={submit}>
        <h2>{label}</h2>
        <label>
          {name}
          <input ref={field} type="text" defaultValue={value} maxLength={500} />
        </label>
        <p class="soft">{hint}</p>
        {error.value && <ErrorNote error={error.value} />}
        <div class="field-actions">
          <button type="submit" class="primary" disabled={isSaving.value}>
            Save
          </button>
          {remove && (
            <button type="button" disabled={isSaving.value} onClick={() => void perform(remove)}>
              {removeLabel}
            </button>
          )}
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function Dialogs({ explorer }: { explorer: Explorer }) {
  const dialog = explorer.dialog.value;
  const outline = explorer.outline.value;
  const close = () => {
    explorer.dialog.value = undefined;
  };
  const session = explorer.id;
  switch (dialog?.kind) {
    case 'record':
      return <RecordDialog explorer={explorer} uuid={dialog.uuid} agent={dialog.agent} onClose={close} />;
    case 'outline':
      return (
        <Dialog label="Outline" onClose={close} class="drawer">
          <Outline explorer={explorer} onGo={close} />
        </Dialog>
      );
    case 'details':
      return (
        <Dialog label="Turn" onClose={close} class="drawer end">
          <Details explorer={explorer} />
          <button type="button" onClick={close}>
            Close
          </button>
        </Dialog>
      );
    case 'mark': {
      const mark = outline?.turns.find(turn => turn.turn === dialog.turn)?.mark;
      const hasMark = typeof mark === 'string';
      const target = { session, turn: dialog.turn, ...(explorer.agent && { agent: explorer.agent }) };
      return (
        <FieldDialog
          explorer={explorer}
          label={`Mark turn ${dialog.turn}`}
          name="Note"
          hint="Marks are stored by annals; the transcript stays as it is."
          value={mark ?? ''}
          save={note => act('mark', { ...target, ...(note && { note }) })}
          said="Marked."
          {...(hasMark && { remove: () => act('mark', { ...target, remove: true }), removeLabel: 'Remove the mark' })}
          onClose={close}
        />
      );
    }
    case 'tag':
      return (
        <FieldDialog
          explorer={explorer}
          label="Tag this session"
          name="Tag"
          hint="Claude Code shows the tag in its list of sessions."
          value=""
          save={tag => act('tag', { session, tag: tag || null })}
          said="Tag saved."
          remove={() => act('tag', { session, tag: null })}
          removeLabel="Remove the tag"
          onClose={close}
        />
      );
    case 'rename':
      return (
        <FieldDialog
          explorer={explorer}
          label="Rename this session"
          name="Title"
          hint="Claude Code shows the title in its list of sessions."
          value={outline?.title ?? ''}
          isRequired
          save={title => act('rename', { session, title })}
          said="Renamed."
          onClose={close}
        />
      );
    default:
      return null;
  }
}
