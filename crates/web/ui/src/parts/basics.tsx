// Small parts that every page uses.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Answer, ApiError } from '../core/api';
import { ago, moment } from '../core/format';
import { harmless } from '../core/harmless';

/** Gives the tab a title. It may come from the address, as a path or an id does. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = harmless(`${title} · annals`);
  }, [title]);
}

/** The heading of a page and its tools. */
export function PageHeading({ title, children }: { title: string; children?: ComponentChildren }) {
  useTabTitle(title);
  return (
    <div class="heading">
      <h1>{harmless(title)}</h1>
      {children}
    </div>
  );
}

/** A titled area of a page. */
export function Panel({ title, tools, children, class: name }: { title?: string; tools?: ComponentChildren; children?: ComponentChildren; class?: string }) {
  return (
    <section class={`panel ${name ?? ''}`}>
      {(title || tools) && (
        <div class="panel-head">
          {title && <h2>{harmless(title)}</h2>}
          {tools}
        </div>
      )}
      {children}
    </section>
  );
}

/** What went wrong, and what to do. */
export function ErrorNote({ error, retry }: { error: Error; retry?: () => void }) {
  return (
    <div class="note bad" role="alert">
      <p>{error.message}</p>
      {error instanceof ApiError && error.hint && <p class="soft">{error.hint}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Where a list is empty: what would be here, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{harmless(title)}</p>
      {children && <div class="soft">{children}</div>}
    </div>
  );
}

/** Waits for an answer. Shows an older answer while a newer one is on its way. */
export function Awaited<T>({ answer, children }: { answer: Answer<T>; children: (data: T) => ComponentChildren }) {
  if (answer.error && answer.data === undefined) return <ErrorNote error={answer.error} retry={answer.reload} />;
  if (answer.data === undefined) return <Loading />;
  return (
    <>
      {answer.error && <ErrorNote error={answer.error} retry={answer.reload} />}
      {children(answer.data)}
    </>
  );
}

/** Appears only after a moment, so that quick answers do not flicker. */
export function Loading() {
  return (
    <p class="loading soft" role="status">
      Loading…
    </p>
  );
}

/** Copies text, and says that it did. */
export function Copy({ text, label = 'Copy', title }: { text: string; label?: string; title?: string }) {
  const isCopied = useSignal(false);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await copyText(text);
    isCopied.value = true;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      isCopied.value = false;
    }, 1500);
  };
  return (
    <button type="button" class="copy-button" title={title ?? text} onClick={copy}>
      {isCopied.value ? 'Copied' : label}
    </button>
  );
}

/** Copies text to the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission, the old way: a field that is selected and copied.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** A time, exact in its title. */
export function When({ time, exact }: { time: string | null | undefined; exact?: boolean }) {
  if (!time) return null;
  return (
    <time dateTime={time} title={moment(time)}>
      {exact ? moment(time) : ago(time)}
    </time>
  );
}

/** One of several choices, as a row of buttons. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {options.map(([option, name]) => (
        <button type="button" key={option} aria-pressed={option === value} onClick={() => onChange(option)}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** A number with its name, large. */
export function Figure({ name, value, note, href }: { name: string; value: ComponentChildren; note?: ComponentChildren; href?: string }) {
  const content = (
    <>
      <span class="figure-name">{name}</span>
      <span class="figure-value">{value}</span>
      {note && <span class="figure-note">{note}</span>}
    </>
  );
  return href ? (
    <a class="figure" href={href}>
      {content}
    </a>
  ) : (
    <div class="figure">{content}</div>
  );
}
