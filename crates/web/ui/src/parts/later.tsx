// Draws its content when it comes near the screen, so that what is not looked at asks nothing.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function Later({ children }: { children: ComponentChildren }) {
  const isNear = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) isNear.value = true;
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isNear.value ? <>{children}</> : <div ref={place} class="later" />;
}
