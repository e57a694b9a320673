// Keeping the text that is being read where it is, while other text comes and goes above it.

export interface Anchor {
  element: Element;
  top: number;
}

/** Where reading begins: below the bars that stay at the top. */
export function readingLine(): number {
  const bar = document.querySelector('.session-bar');
  return (bar ? bar.getBoundingClientRect().bottom : 48) + 12;
}

/** The first element that reaches below the reading line, as deep as it can be told apart. */
export function anchorOf(elements: readonly Element[]): Anchor | undefined {
  if (scrollY < 4) return undefined;
  const line = readingLine();
  let found: Element | undefined;
  // A chunk that is not read yet shows nothing: what is read is below it.
  const shown = elements.filter(element => {
    if (element.childElementCount === 0) return false;
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > line && top < innerHeight;
  });
  let among: Iterable<Element> = shown.length > 0 ? shown : elements;
  for (let depth = 0; depth < 6; depth++) {
    let next: Element | undefined;
    for (const element of among) {
      const box = element.getBoundingClientRect();
      if (box.height > 0 && box.bottom > line) {
        next = element;
        break;
      }
    }
    if (!next) break;
    found = next;
    // An element that begins below the line moves as a whole.
    if (next.getBoundingClientRect().top >= line || next.localName === 'pre') break;
    among = next.children;
  }
  return found && { element: found, top: found.getBoundingClientRect().top };
}

/** Scrolls by as much as the anchor has moved. */
export function keepAt(anchor: Anchor | undefined): void {
  if (!anchor?.element.isConnected) return;
  const moved = anchor.element.getBoundingClientRect().top - anchor.top;
  if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: 'instant' });
}

/** Scrolls so that an element is at the top of what is read. */
export function scrollToTop(element: Element): void {
  const top = element.getBoundingClientRect().top;
  scrollBy({ top: top - readingLine(), behavior: 'instant' });
}

/** Sections that are off the screen are not laid out: they get their true heights now, so that nothing moves when they are. */
export function fixHeights(chunk: HTMLElement): void {
  const sections = [...chunk.querySelectorAll<HTMLElement>(':scope > section')];
  chunk.classList.add('fresh');
  const heights = sections.map(section => section.offsetHeight);
  sections.forEach((section, at) => {
    section.style.containIntrinsicSize = `auto ${heights[at]}px`;
  });
  chunk.classList.remove('fresh');
}
