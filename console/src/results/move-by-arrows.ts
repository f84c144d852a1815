import type { KeyboardEvent } from 'react';

/**
 * Moves the focus with the arrow keys to the first button of the line before or after. Lines have a `data-index`.
 * @param scrollTo draws the line, which may be out of view
 */
export function moveByArrows(
  event: KeyboardEvent<HTMLElement>,
  count: number,
  scrollTo: (index: number) => void
): void {
  const { currentTarget: list, target, key } = event;
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  const index = Number(line?.dataset['index']) + step;
  if (line === null || step === 0 || index < 0 || index >= count) return;
  event.preventDefault();
  scrollTo(index);
  requestAnimationFrame(() =>
    list.querySelector<HTMLElement>(`[data-index="${index}"] button`)?.focus({ preventScroll: true })
  );
}
