// What is near the screen, what is far from it, and what is being read.

/** Chunks nearer than this are read; those farther away than the second are dropped. In pixels. */
const NEAR = 1500;
export const FAR = 4500;
/** A line at a quarter of the screen: the turn that crosses it is being read. */
const LINE = '-25% 0px -74.5%';

interface Handlers {
  near: (element: Element, isNear: boolean) => void;
  far: (element: Element) => void;
  reading: (section: HTMLElement) => void;
}

export class Observers {
  private readonly near: IntersectionObserver;
  private readonly far: IntersectionObserver;
  private readonly line: IntersectionObserver;

  constructor(handlers: Handlers) {
    this.near = new IntersectionObserver(
      entries => {
        for (const entry of entries) handlers.near(entry.target, entry.isIntersecting);
      },
      { rootMargin: `${NEAR}px 0px` },
    );
    this.far = new IntersectionObserver(
      entries => {
        for (const entry of entries) if (!entry.isIntersecting) handlers.far(entry.target);
      },
      { rootMargin: `${FAR}px 0px` },
    );
    this.line = new IntersectionObserver(
      entries => {
        for (const entry of entries) if (entry.isIntersecting) handlers.reading(entry.target as HTMLElement);
      },
      { rootMargin: LINE },
    );
  }

  /** Watches these chunks and no others. Observers report the state of what they begin to observe. */
  watch(elements: readonly Element[]): void {
    this.near.disconnect();
    this.far.disconnect();
    for (const element of elements) this.add(element);
  }

  add(element: Element): void {
    this.near.observe(element);
    this.far.observe(element);
  }

  /** Reports when a turn is being read. */
  read(section: Element): void {
    this.line.observe(section);
  }

  unread(section: Element): void {
    this.line.unobserve(section);
  }

  close(): void {
    this.near.disconnect();
    this.far.disconnect();
    this.line.disconnect();
  }
}

/** Waits until the browser has nothing better to do. */
export function whenIdle(): Promise<void> {
  return new Promise(resolve => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 400 });
    else setTimeout(resolve, 50);
  });
}
