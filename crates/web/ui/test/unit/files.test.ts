import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileTree, heat, type TreeNode } from '../../src/files/tree';

const file = (path: string, changes: number) => ({ path, changes, reads: 1, added: changes, removed: 0 });

function leaves(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(node => (node.isFile ? [node.path] : leaves(node.children)));
}

test('every file is in the tree once', () => {
  const paths = ['/a/b/c.rs', '/a/b/d.rs', '/a/e.rs', 'relative.rs', '/root.rs', 'C:\\x\\y.rs'];
  assert.deepEqual(leaves(fileTree(paths.map(path => file(path, 1)))).sort(), [...paths].sort());
});

test('folders have the sums of what is below them', () => {
  const [top] = fileTree([file('/a/b/c.rs', 3), file('/a/b/d.rs', 2), file('/a/e.rs', 1)]);
  assert.equal(top?.changes, 6);
  assert.equal(top?.children.find(node => node.name === 'b')?.changes, 5);
});

test('folders with one folder inside are joined', () => {
  const [top] = fileTree([file('/a/b/c/x.rs', 1), file('/a/b/c/y.rs', 1)]);
  assert.equal(top?.name.endsWith('a/b/c'), true);
});

test('paths of Windows are divided at both separators, others only at slashes', () => {
  const tree = fileTree([file('C:\\work\\app\\a.rs', 3), file('C:/work/app/b.rs', 2), file('\\\\server\\share\\c.rs', 2), file('/odd\\name/d.rs', 1)]);
  const shown = tree.map(node => [node.name, node.children.map(child => child.name)]);
  assert.deepEqual(shown, [
    ['C:\\work\\app', ['a.rs', 'b.rs']],
    ['\\\\server\\share', ['c.rs']],
    ['/odd\\name', ['d.rs']],
  ]);
});

test('the most changed file is the hottest, and an unchanged one is cold', () => {
  assert.deepEqual([heat(0, 10), heat(1, 10), heat(10, 10), heat(5, 0)], [0, 2, 4, 0]);
});
