/** What both dialects do with the elements of a validated time format. */
import type { FormatElement } from '../../../time/time-format';
import { timeZoneName, type TimeZone } from '../../../time/time-zone';

/** A format of the store's formatting function, or a code of the dialect that needs an expression of its own. */
export type Run = { readonly format: string } | { readonly code: string } | { readonly unpadded: Run };

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
  const { code } = element;
  if (code.startsWith('-')) return { unpadded: runOf({ kind: 'code', code: code.slice(1) }, direct) };
  const format = direct[code];
  return format === undefined ? { code } : { format };
}

/** A store's SQL for one time. */
export interface RunForm {
  /** Formats the local time. */
  readonly show: (format: string) => string;
  /** `+0200`, with a separator between hours and minutes. */
  readonly offset: (separator: string) => string;
  /** Codes that the store shows in its own way; undefined for others. */
  readonly own: (code: string) => string | undefined;
  /** A number without zeros and blanks before its first digit; zero keeps one digit. */
  readonly unpadded: (number: string) => string;
}

export function printRun(run: Run, form: RunForm): string {
  const { show, offset, own, unpadded } = form;
  if ('format' in run) return show(run.format);
  if ('unpadded' in run) return unpadded(printRun(run.unpadded, form));
  switch (run.code) {
    case 'C':
      return `left(${show('%Y')}, 2)`;
    case 'P':
      return `lower(${show('%p')})`;
    case 'z':
      return offset('');
    case 'Ez':
      return offset(':');
    // Digits of a second's fraction: `E3S`.
    default:
      return own(run.code) ?? `left(${show('%S.%f')}, ${3 + Number(run.code.charAt(1))})`;
  }
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
