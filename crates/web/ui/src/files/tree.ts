// A tree of folders from a list of files, with the sums of everything below each folder.

export interface FileRow {
  path: string;
  changes: number;
  reads: number;
  added: number;
  removed: number;
}

export interface TreeNode {
  name: string;
  /** The whole path. */
  path: string;
  isFile: boolean;
  changes: number;
  reads: number;
  added: number;
  removed: number;
  children: TreeNode[];
}

function node(name: string, path: string, isFile: boolean): TreeNode {
  return { name, path, isFile, changes: 0, reads: 0, added: 0, removed: 0, children: [] };
}

/** Whether a path is one of Windows: elsewhere, names may contain backslashes. */
function isOfWindows(path: string): boolean {
  return /^[a-z]:[\\/]|^\\\\/i.test(path);
}

/** Where the last part of a path begins, after its separator; 0 for a single part, as `\\server` is. */
function lastStart(path: string, isWindows: boolean): number {
  if (!isWindows) return path.lastIndexOf('/') + 1;
  const start = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  return start <= 2 && path.startsWith('\\\\') ? 0 : start;
}

/** Builds the tree; chains of folders with one child are joined, and the most changed come first. */
export function fileTree(files: readonly FileRow[]): TreeNode[] {
  const root = node('', '', false);
  const folders = new Map<string, TreeNode>([['', root]]);
  const folderOf = (path: string, isWindows: boolean): TreeNode => {
    // Windows takes both separators for the same.
    const key = isWindows ? path.replaceAll('/', '\\').toLowerCase() : path;
    const known = folders.get(key);
    if (known) return known;
    const start = lastStart(path, isWindows);
    const created = node(path.slice(start) || '/', path, false);
    folders.set(key, created);
    (start === 0 ? root : folderOf(path.slice(0, start - 1), isWindows)).children.push(created);
    return created;
  };
  for (const file of files) {
    const isWindows = isOfWindows(file.path);
    const start = lastStart(file.path, isWindows);
    const leaf = node(file.path.slice(start), file.path, true);
    Object.assign(leaf, { changes: file.changes, reads: file.reads, added: file.added, removed: file.removed });
    (start <= 1 ? root : folderOf(file.path.slice(0, start - 1), isWindows)).children.push(leaf);
  }
  sum(root);
  return root.children.map(child => joined(child)).map(child => (child.path.startsWith('/') && !child.isFile ? { ...child, name: `/${child.name.replace(/^\/+/, '')}` } : child));
}

function sum(folder: TreeNode): void {
  for (const child of folder.children) {
    if (!child.isFile) sum(child);
    folder.changes += child.changes;
    folder.reads += child.reads;
    folder.added += child.added;
    folder.removed += child.removed;
  }
  folder.children.sort((one, other) => other.changes - one.changes || other.reads - one.reads || one.name.localeCompare(other.name));
}

function joined(folder: TreeNode): TreeNode {
  let current = folder;
  let name = current.name;
  while (!current.isFile && current.children.length === 1 && current.children[0] && !current.children[0].isFile) {
    const child = current.children[0];
    // What stands between the two in the path, which Windows writes in its own way.
    name = `${name}${child.path.slice(0, -child.name.length).at(-1) ?? '/'}${child.name}`;
    current = child;
  }
  return { ...current, name, children: current.children.map(joined) };
}

/** How hot a file is, from 0 to 4, beside the most changed one. */
export function heat(changes: number, most: number): number {
  if (changes <= 0 || most <= 0) return 0;
  return Math.max(1, Math.ceil((4 * Math.log1p(changes)) / Math.log1p(most)));
}
