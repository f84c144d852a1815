/** What both dialects do with the elements of a validated time format. */
import type { FormatElement } from '../../time/time-format';
import { timeZoneName, type TimeZone } from '../../time/time-zone';

/** A format of the store's formatting function, or a code of the dialect that needs an expression of its own. */
export type Run = { readonly format: string } | { readonly code: string };

/**
 * Joins texts and directly supported codes to formats, which are as long as possible.
 * @param direct code of the dialect -> code of the store with the same meaning
 */
export function joinRuns(elements: readonly FormatElement[], direct: Readonly<Record<string, string>>): readonly Run[] {
  const runs: Run[] = [];
  for (const element of elements) {
    const run = runOf(element, direct);
    const last = runs.at(-1);
    if ('format' in run && last !== undefined && 'format' in last) {
      runs[runs.length - 1] = { format: last.format + run.format };
    } else runs.push(run);
  }
  return runs;
}

function runOf(element: FormatElement, direct: Readonly<Record<string, string>>): Run {
  if (element.kind === 'text') return { format: element.text.replaceAll('%', '%%') };
  const format = direct[element.code];
  return format === undefined ? { code: element.code } : { format };
}

/** Whether the parsed text contains its own offset, or a Unix time. */
export function readsOffset(elements: readonly FormatElement[]): boolean {
  return elements.some((element) => element.kind === 'code' && /z$|^[Zs]$/.test(element.code));
}

/** `UTC`, or `UTC+2`, `UTC-0330`. */
export function zoneLabel(zone: TimeZone): string {
  const name = timeZoneName(zone);
  return name === 'UTC' ? name : `UTC${name.replace(/^([+-])0?(\d+):00$/, '$1$2').replace(':', '')}`;
}

/** `+0200`, with a separator between hours and minutes. */
export function offsetLabel(zone: Extract<TimeZone, { kind: 'offset' }>, separator: string): string {
  const name = timeZoneName(zone);
  return (name === 'UTC' ? '+00:00' : name).replace(':', separator);
}
