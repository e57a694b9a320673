// A button that opens a short list of links and buttons.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export function Menu({ label, children, align }: { label: string; children: ComponentChildren; align?: 'end' }) {
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen.value) return;
    box.current?.querySelector<HTMLElement>('.menu-list a, .menu-list button')?.focus();
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) isOpen.value = false;
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, [isOpen.value]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen.value) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      isOpen.value = false;
      box.current?.querySelector('button')?.focus();
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const items = [...(box.current?.querySelectorAll<HTMLElement>('.menu-list a, .menu-list button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + by + items.length) % items.length]?.focus();
  };
  return (
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button type="button" aria-expanded={isOpen.value} aria-controls={id} onClick={() => (isOpen.value = !isOpen.value)}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen.value && (
        <div class={`menu-list ${align === 'end' ? 'end' : ''}`} id={id} role="group" aria-label={label} onClick={() => (isOpen.value = false)}>
          {children}
        </div>
      )}
    </div>
  );
}
