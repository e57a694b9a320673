// Finding words in elements: text nodes as one text, and places in it as nodes and offsets.

/** Texts joined, and where each begins. */
export interface Joined {
  text: string;
  starts: number[];
}

/** Joins texts; `breaks[n]` says that text `n` begins a new block, which no hit crosses. */
export function joinTexts(texts: readonly string[], breaks: readonly boolean[], isCaseSensitive: boolean): Joined {
  const starts: number[] = [];
  let text = '';
  texts.forEach((part, at) => {
    if (breaks[at] && at > 0) text += '\n';
    starts.push(text.length);
    const folded = isCaseSensitive ? part : part.toLowerCase();
    // A few letters change their length with their case; offsets matter more than those.
    text += folded.length === part.length ? folded : part;
  });
  return { text, starts };
}

/** The number of the text that has an offset, and the offset in it. */
export function placeOf(starts: readonly number[], offset: number): [number, number] {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return [low, offset - (starts[low] ?? 0)];
}

/** Where words occur, at most `most` times. */
export function occurrences(text: string, words: string, most: number): number[] {
  const found: number[] = [];
  if (!words) return found;
  for (let at = text.indexOf(words); at >= 0 && found.length < most; at = text.indexOf(words, at + words.length)) found.push(at);
  return found;
}

const BLOCKS = 'p,li,pre,td,th,h1,h2,h3,h4,h5,h6,summary,div,section,ins,del,s';

/** The ranges of words within elements, in order. */
export function findRanges(within: readonly Element[], words: string, isCaseSensitive: boolean, most = 500): Range[] {
  const wanted = isCaseSensitive ? words : words.toLowerCase();
  const ranges: Range[] = [];
  for (const root of within) {
    if (ranges.length >= most) break;
    const nodes: Text[] = [];
    const breaks: boolean[] = [];
    let block: Element | null = null;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const own = node.parentElement?.closest(BLOCKS) ?? null;
      nodes.push(node as Text);
      breaks.push(own !== block);
      block = own;
    }
    const joined = joinTexts(
      nodes.map(node => node.data),
      breaks,
      isCaseSensitive,
    );
    for (const start of occurrences(joined.text, wanted, most - ranges.length)) {
      const [first, from] = placeOf(joined.starts, start);
      const [last, to] = placeOf(joined.starts, start + wanted.length - 1);
      const range = document.createRange();
      const [begins, ends] = [nodes[first], nodes[last]];
      if (!begins || !ends) continue;
      range.setStart(begins, Math.min(from, begins.length));
      range.setEnd(ends, Math.min(to + 1, ends.length));
      ranges.push(range);
    }
  }
  return ranges;
}
