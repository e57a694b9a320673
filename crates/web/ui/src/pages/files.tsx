// Files that sessions read and changed: a tree with heat, the history and blame of one file.

import { useSignal } from '@preact/signals';
import { useAnswer } from '../core/api';
import { address } from '../core/base';
import { counted, shortPath, whole } from '../core/format';
import { parameter } from '../core/router';
import { Blame } from '../files/blame';
import { History } from '../files/history';
import { fileTree, heat, type TreeNode } from '../files/tree';
import { FilterField } from '../lists/filter_field';
import { PeriodChoice } from '../lists/period';
import { Awaited, Empty, PageHeading, Panel } from '../parts/basics';
import type { FilesDocument } from '../schema';

/** More files than this make a tree nobody reads; the filter finds the others. */
const MOST = 1000;

function Branch({ node, most, level }: { node: TreeNode; most: number; level: number }) {
  const isOpen = useSignal(level < 2);
  const numbers = (
    <span class="tree-numbers number">
      {node.changes > 0 && (
        <>
          <span class="soft">{whole(node.changes)}×</span> <span class="added">+{whole(node.added)}</span> <span class="removed">−{whole(node.removed)}</span>
        </>
      )}
      {node.changes === 0 && node.reads > 0 && <span class="soft reads">{counted(node.reads, 'read')}</span>}
    </span>
  );
  if (node.isFile) {
    return (
      <li class="tree-row">
        <span class={`heat heat-${heat(node.changes, most)}`} />
        <a href={address('files', { path: node.path })} aria-current={parameter('path') === node.path ? 'true' : undefined}>
          {node.name}
        </a>
        {numbers}
      </li>
    );
  }
  return (
    <li>
      <details open={isOpen.value} onToggle={event => (isOpen.value = event.currentTarget.open)}>
        <summary class="tree-row">
          <b>{shortPath(node.name)}</b>
          {numbers}
        </summary>
        {isOpen.value && (
          <ul class="tree">
            {node.children.map(child => (
              <Branch key={child.path} node={child} most={most} level={level + 1} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

export function Files() {
  const path = parameter('path');
  const parameters = { project: parameter('project'), since: parameter('since'), until: parameter('until'), limit: MOST };
  const files = useAnswer<FilesDocument>('files', parameters);
  const wanted = parameter('q').toLowerCase();
  return (
    <>
      <PageHeading title={path ? shortPath(path) : 'Files'}>
        {path && <a href={address('files')}>All files</a>}
        <PeriodChoice />
        <a href={address('api/1/files', { ...parameters, limit: 100_000, format: 'csv' })} download="files.csv">
          CSV
        </a>
      </PageHeading>
      <div class={path ? 'split' : ''}>
        <Panel>
          <div class="bar">
            <FilterField label="Filter files" placeholder="Part of a path" />
          </div>
          <Awaited answer={files}>
            {document => {
              const chosen = document.files.filter(file => file.path.toLowerCase().includes(wanted));
              const most = Math.max(1, ...chosen.map(file => file.changes));
              return chosen.length === 0 ? (
                <Empty title="No file matches." />
              ) : (
                <>
                  <p class="soft">
                    {counted(chosen.length, 'file')}
                    {document.total > document.files.length ? ` of ${whole(document.total)}, the most changed first` : ''}
                  </p>
                  <ul class="tree">
                    {fileTree(chosen).map(node => (
                      <Branch key={node.path} node={node} most={most} level={0} />
                    ))}
                  </ul>
                </>
              );
            }}
          </Awaited>
        </Panel>
        {path && (parameter('blame') ? <Blame path={path} /> : <History path={path} />)}
      </div>
    </>
  );
}
