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

/** Builds the tree; chains of folders with one child are joined, and the most changed come first. */
export function fileTree(files: readonly FileRow[]): TreeNode[] {
  const root = node('', '', false);
  const folders = new Map<string, TreeNode>([['', root]]);
  const folderOf = (path: string): TreeNode => {
    const known = folders.get(path);
    if (known) return known;
    const cut = path.lastIndexOf('/');
    const created = node(path.slice(cut + 1) || '/', path, false);
    folders.set(path, created);
    (cut < 0 ? root : folderOf(path.slice(0, cut))).children.push(created);
    return created;
  };
  for (const file of files) {
    const cut = file.path.lastIndexOf('/');
    const leaf = node(file.path.slice(cut + 1), file.path, true);
    Object.assign(leaf, { changes: file.changes, reads: file.reads, added: file.added, removed: file.removed });
    (cut <= 0 ? root : folderOf(file.path.slice(0, cut))).children.push(leaf);
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
    current = current.children[0];
    name = `${name}/${current.name}`;
  }
  return { ...current, name, children: current.children.map(joined) };
}

/** How hot a file is, from 0 to 4, beside the most changed one. */
export function heat(changes: number, most: number): number {
  if (changes <= 0 || most <= 0) return 0;
  return Math.max(1, Math.ceil((4 * Math.log1p(changes)) / Math.log1p(most)));
}
