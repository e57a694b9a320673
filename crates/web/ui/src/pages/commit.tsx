// The sessions and prompts behind a commit.

import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { shortId, shortPath } from '../core/format';
import { Awaited, Empty, PageHeading, Panel, When } from '../parts/basics';
import type { CommitDocument } from '../schema';

export function Commit({ hash }: { hash: string }) {
  const answer = useAnswer<CommitDocument>(`commits/${encodeURIComponent(hash)}`);
  return (
    <>
      <PageHeading title={`Commit ${hash.slice(0, 12)}`} />
      <Awaited answer={answer}>
        {({ commits }) =>
          commits.length === 0 ? (
            <Empty title="No session made this commit." />
          ) : (
            <>
              {commits.map(commit => (
                <Panel key={`${commit.session_id} ${commit.line}`} title={commit.subject ?? commit.hash}>
                  <p>
                    <a href={sessionAddress(commit.session_id, { line: commit.line, agent: commit.agent_id })}>{commit.title ?? shortId(commit.session_id)}</a>{' '}
                    <span class="soft">
                      <When time={commit.timestamp} exact /> {commit.branch && `on ${commit.branch}`} in {shortPath(commit.cwd)}
                    </span>
                  </p>
                  {commit.prompts.map(prompt => (
                    <blockquote key={prompt.line}>
                      <a href={sessionAddress(commit.session_id, { line: prompt.line })}>{prompt.text.trim()}</a>
                    </blockquote>
                  ))}
                  <ul class="plain">
                    {commit.files.map(file => (
                      <li key={file.path}>
                        <a class="mono" href={address('files', { path: file.path })}>
                          {shortPath(file.path)}
                        </a>{' '}
                        <span class="added">+{file.added}</span> <span class="removed">−{file.removed}</span>
                      </li>
                    ))}
                  </ul>
                </Panel>
              ))}
            </>
          )
        }
      </Awaited>
    </>
  );
}
