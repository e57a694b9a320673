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
  for (const fresh of [...content.children]) {
    const turn = (fresh as HTMLElement).dataset?.turn;
    const old = turn === undefined ? undefined : chunk.querySelector(`:scope > section[data-turn="${CSS.escape(turn)}"]`);
    if (old) {
      patched.elements.push(...patchTurn(old, fresh));
    } else if (fresh.localName === 'section') {
      for (const child of fresh.children) pristine.set(child, signature(child));
      chunk.append(fresh);
      patched.sections.push(fresh as HTMLElement);
      patched.elements.push(fresh);
    }
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
