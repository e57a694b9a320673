// The health of the stores: what is damaged, what expires, what annals does not know yet.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { bytes, counted, day, shortId, shortPath, whole } from '../core/format';
import { Awaited, Figure, PageHeading, Panel } from '../parts/basics';
import type { DoctorDocument, SecretsDocument } from '../schema';

const MOST = 50;

/** The first rows of a list, and how many more there are. */
function Some<Row>({ rows, children }: { rows: readonly Row[]; children: (row: Row) => ComponentChildren }) {
  return (
    <>
      <ul class="plain">{rows.slice(0, MOST).map(children)}</ul>
      {rows.length > MOST && <p class="soft">and {whole(rows.length - MOST)} more: `annals doctor` lists all</p>}
    </>
  );
}

/** A line of a file, which opens its session if the file is the transcript of one. */
function Place({ path, line }: { path: string; line: number | null }) {
  const session = path.match(/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/)?.[1];
  const text = shortPath(path) + (line === null ? '' : `:${line}`);
  if (!session) return <span class="mono">{text}</span>;
  return (
    <a class="mono" href={sessionAddress(session, { line })}>
      {text}
    </a>
  );
}

function Secrets() {
  const isAsked = useSignal(false);
  const secrets = useAnswer<SecretsDocument>(isAsked.value ? 'doctor/secrets' : null);
  return (
    <Panel title="Secrets in transcripts">
      {!isAsked.value ? (
        <p>
          <button type="button" onClick={() => (isAsked.value = true)}>
            Look for secrets
          </button>{' '}
          <span class="soft">Reads every transcript. Nothing is shown but the place and the kind.</span>
        </p>
      ) : (
        <Awaited answer={secrets}>
          {document =>
            document.secrets.length === 0 ? (
              <p>No secrets found in {counted(document.searched, 'file')}.</p>
            ) : (
              <Some rows={document.secrets}>
                {secret => (
                  <li key={`${secret.path} ${secret.rule}`}>
                    <b>{secret.rule}</b> {whole(secret.count)}× in{' '}
                    <a href={sessionAddress(secret.session_id, { line: secret.lines[0], agent: secret.agent_id })}>{shortId(secret.session_id)}</a>{' '}
                    <span class="soft mono">{shortPath(secret.path)}</span>
                  </li>
                )}
              </Some>
            )
          }
        </Awaited>
      )}
    </Panel>
  );
}

function Report({ document }: { document: DoctorDocument }) {
  const { counts, archive, retention } = document;
  return (
    <>
      <div class="figures">
        <Figure name="Sessions" value={whole(counts.sessions)} note={`${whole(counts.hidden)} hidden`} href={address('sessions')} />
        <Figure name="Agents" value={whole(counts.agents)} />
        <Figure name="Files" value={whole(counts.files)} note={bytes(counts.bytes)} />
        <Figure name="Problems" value={whole(document.problems.length)} />
        <Figure name="Not archived" value={whole(archive.not_archived_sessions)} note={bytes(archive.not_archived_bytes)} href={address('archive')} />
      </div>
      <Panel title="Retention">
        <p>
          {retention.days === null
            ? 'annals does not know when Claude Code deletes sessions.'
            : `Claude Code deletes a session ${counted(retention.days, 'day')} after its last change.`}{' '}
          {retention.advice && (
            <>
              To keep sessions longer, write <code>{retention.advice}</code> into{' '}
              {retention.settings ? <span class="mono">{shortPath(retention.settings)}</span> : 'its settings'}.
            </>
          )}
        </p>
        {retention.problem && <p class="bad">{retention.problem}</p>}
        <Some rows={retention.expiring}>
          {session => (
            <li key={session.id}>
              <a href={sessionAddress(session.id)}>{session.title ?? shortId(session.id)}</a>{' '}
              <span class="soft">
                {Date.parse(session.deleted_at) > Date.now() ? `Claude Code deletes it on ${day(session.deleted_at)}` : `due since ${day(session.deleted_at)}: Claude Code deletes it when it starts next`}
              </span>{' '}
              {session.is_archived ? <span class="badge">archived</span> : <span class="badge on">not archived</span>}
            </li>
          )}
        </Some>
      </Panel>
      {document.problems.length > 0 && (
        <Panel title={counted(document.problems.length, 'problem')}>
          <Some rows={document.problems}>
            {problem => (
              <li key={`${problem.path} ${problem.line} ${problem.offset}`}>
                <Place path={problem.path} line={problem.line} /> <span class="soft">{problem.reason}</span>
              </li>
            )}
          </Some>
        </Panel>
      )}
      {document.drift.length > 0 && (
        <Panel title="Data that annals does not know yet">
          <Some rows={document.drift}>
            {item => (
              <li key={`${item.kind} ${item.name}`}>
                {item.kind} <b>{item.name}</b>{' '}
                <span class="soft">
                  {whole(item.count)}×{item.first_version ? `, since ${item.first_version}` : ''}
                </span>
              </li>
            )}
          </Some>
        </Panel>
      )}
      {document.collisions.length > 0 && (
        <Panel title="Folders shared by several projects">
          <Some rows={document.collisions}>
            {collision => (
              <li key={collision.folder}>
                <span class="mono">{shortPath(collision.folder)}</span> <span class="soft">{collision.cwds.map(shortPath).join(', ')}</span>
              </li>
            )}
          </Some>
        </Panel>
      )}
      {document.caches.length + document.strays.length + document.copies.length > 0 && (
        <Panel title="Other findings">
          <Some rows={document.caches}>
            {cache => (
              <li key={cache.path}>
                <span class="mono">{shortPath(cache.path)}</span> <span class="soft">{cache.disagrees}</span>
              </li>
            )}
          </Some>
          <Some rows={document.copies}>
            {copy => (
              <li key={copy.id}>
                <a href={sessionAddress(copy.id)}>{shortId(copy.id)}</a> <span class="soft">has {counted(copy.copies.length, 'copy', 'copies')}</span>
              </li>
            )}
          </Some>
          <Some rows={document.strays}>
            {stray => (
              <li key={stray.path}>
                <span class="mono">{shortPath(stray.path)}</span> <span class="soft">{stray.reason}</span>
              </li>
            )}
          </Some>
        </Panel>
      )}
      <Panel title="Stores">
        <ul class="plain">
          {document.roots.map(root => (
            <li key={root.path}>
              <span class="mono">{shortPath(root.path)}</span>{' '}
              {root.error ? <span class="bad">{root.error}</span> : <span class="soft">{counted(root.sessions, 'session')}</span>}
            </li>
          ))}
        </ul>
      </Panel>
      <Secrets />
    </>
  );
}

export function Doctor() {
  const report = useAnswer<DoctorDocument>('doctor');
  return (
    <>
      <PageHeading title="Doctor" />
      {report.data === undefined && !report.error && <p class="soft">Reading every transcript; this can take a while.</p>}
      <Awaited answer={report}>{document => <Report document={document} />}</Awaited>
    </>
  );
}
