/** How boards move: whether anything should, and how something is pulled. */

/** Whether nothing should travel: it was asked for, or nobody looks. */
export const still = (): boolean =>
  document.hidden || typeof matchMedia !== 'function' || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Follow a pointer that pulls something, from its start until it is let go. */
export function pull(start: PointerEvent, follow: (event: PointerEvent) => void, letGo: () => void): void {
  const done = new AbortController();
  const { signal } = done;
  const end = (): void => {
    done.abort();
    letGo();
  };
  follow(start);
  addEventListener('pointermove', follow, { signal });
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
}
