// The history of one file: every recorded change, with the prompt that led to it.

import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { counted, shortId, shortPath } from '../core/format';
import { Awaited, Empty, Panel, When } from '../parts/basics';
import type { Change, FileHistoryDocument } from '../schema';

const MOST = 100;

/** The lines of a diff, each with what it does. */
function Diff({ text }: { text: string }) {
  return (
    <pre>
      <code>
        {text.split('\n').map((line, index) => {
          if (line.startsWith('+')) return <ins key={index}>{line}</ins>;
          if (line.startsWith('-'))
            return (
              <del class="d" key={index}>
                {line}
              </del>
            );
          return <span key={index}>{`${line}\n`}</span>;
        })}
      </code>
    </pre>
  );
}

function Change({ change }: { change: Change }) {
  const to = sessionAddress(change.session_id, { line: change.line, agent: change.agent_id });
  return (
    <li class="change">
      <p>
        <a href={to}>
          <When time={change.timestamp} exact />
        </a>{' '}
        <span class="soft">
          {change.operation.replaceAll('_', ' ')} by {change.tool}
          {change.agent_type ? ` (${change.agent_type})` : ''} in {shortId(change.session_id)}
        </span>{' '}
        <span class="number">
          <span class="added">+{change.added}</span> <span class="removed">−{change.removed}</span>
        </span>
      </p>
      {change.prompt && <blockquote>{change.prompt.text.trim().split('\n', 3).join(' ')}</blockquote>}
      {change.diff && <Diff text={change.diff} />}
    </li>
  );
}

export function History({ path }: { path: string }) {
  const history = useAnswer<FileHistoryDocument>('files/history', { path, limit: MOST });
  return (
    <Awaited answer={history}>
      {document => (
        <Panel
          title={counted(document.total, 'change')}
          tools={
            <>
              <a href={address('files', { path, blame: 1 })}>Blame</a>
              <a href={address('api/1/files/history', { path, limit: 100_000, format: 'csv' })} download="history.csv">
                CSV
              </a>
            </>
          }
        >
          {document.changes.length === 0 ? (
            <Empty title={`No session changed ${shortPath(path)}.`} />
          ) : (
            <ol class="plain">
              {document.changes.map(change => (
                <Change key={`${change.session_id} ${change.line} ${change.tool_use_id}`} change={change} />
              ))}
            </ol>
          )}
          {document.total > document.changes.length && <p class="soft">The newest {document.changes.length} are shown.</p>}
        </Panel>
      )}
    </Awaited>
  );
}
