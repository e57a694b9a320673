// Newer contents of the last turns: what has not changed stays in the document, so that folds,
// selections and the place of the reader stay as they are.

/** What an element looked like when it came from the server, before the page changed it. */
const pristine = new WeakMap<Element, string>();

function signature(element: Element): string {
  return element.outerHTML;
}

/** Remembers the messages of a chunk as they are. */
export function remember(chunk: Element): void {
  const last = [...chunk.querySelectorAll(':scope > section')].at(-1);
  // Only the last turn can still change.
  if (last) for (const child of last.children) pristine.set(child, signature(child));
}

/** How many items at the beginning of two lists are equal. */
export function commonStart(before: readonly (string | undefined)[], after: readonly string[]): number {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at++;
  return at;
}

export interface Patched {
  /** Turns that were not there before. */
  sections: HTMLElement[];
  /** Elements that came into the document. */
  elements: Element[];
}

/** Brings the turns of `content` into a chunk that has older versions of some. */
export function patchTurns(chunk: Element, content: DocumentFragment): Patched {
  const patched: Patched = { sections: [], elements: [] };
  let isNew = false;
  let between: Element[] = [];
  for (const fresh of [...content.children]) {
    const turn = (fresh as HTMLElement).dataset?.turn;
    if (turn === undefined) {
      // Days and branches stand before the turn that they belong to.
      between.push(fresh);
      continue;
    }
    const versions = [...chunk.querySelectorAll(`:scope > section[data-turn="${CSS.escape(turn)}"]`)];
    const old = versions[0];
    if (old && versions.length === 1) {
      patched.elements.push(...patchTurn(old, fresh));
    } else if (!old) {
      isNew = true;
      for (const child of fresh.children) pristine.set(child, signature(child));
      chunk.append(...between, fresh);
      patched.sections.push(fresh as HTMLElement);
      patched.elements.push(...between, fresh);
    }
    between = [];
  }
  // What stands after the last turn is written anew.
  if (isNew || between.length > 0) {
    for (let last = chunk.lastElementChild; last && !(last as HTMLElement).dataset.turn; last = chunk.lastElementChild) last.remove();
    chunk.append(...between);
    patched.elements.push(...between);
  }
  return patched;
}

function patchTurn(old: Element, fresh: Element): Element[] {
  const after = [...fresh.children];
  const signatures = after.map(signature);
  const before = [...old.children].filter(child => pristine.has(child));
  const same = commonStart(
    before.map(child => pristine.get(child)),
    signatures,
  );
  const replaced = before.slice(same);
  const open = new Map(replaced.filter(child => child instanceof HTMLDetailsElement && child.id).map(child => [child.id, (child as HTMLDetailsElement).open]));
  for (const child of replaced) child.remove();
  const added = after.slice(same);
  added.forEach((child, at) => {
    pristine.set(child, signatures[same + at] ?? '');
    const wasOpen = open.get(child.id);
    if (child instanceof HTMLDetailsElement && wasOpen !== undefined) child.open = wasOpen;
    old.append(child);
  });
  return added;
}
