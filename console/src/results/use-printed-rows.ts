/** Rows that a virtualizer draws: those in view, and on paper, which does not scroll, the first ones. */
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useSyncExternalStore } from 'react';

/** More would take the browser minutes. */
export const MAX_PRINTED_ROWS = 5_000;

type ReadRange = (range: Range) => number[];

/** @returns the `rangeExtractor` of the virtualizer */
export function usePrintedRows(): ReadRange {
  return useSyncExternalStore(subscribe, () => (isPrinting ? printedRows : defaultRangeExtractor));
}

const printedRows: ReadRange = ({ count }) =>
  Array.from({ length: Math.min(count, MAX_PRINTED_ROWS) }, (_, row) => row);

let isPrinting = false;

/** The page is drawn again before it is printed. */
function subscribe(onChange: () => void): () => void {
  const listen = (name: 'beforeprint' | 'afterprint'): (() => void) => {
    const listener = (): void => {
      isPrinting = name === 'beforeprint';
      onChange();
    };
    window.addEventListener(name, listener);
    return () => window.removeEventListener(name, listener);
  };
  const ends = [listen('beforeprint'), listen('afterprint')];
  return () => ends.forEach((end) => end());
}
