/** Deviations from the reference that are on purpose: ../deviations.yaml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { StoreName } from '../../support/stores/current';
import type { Verdict } from './compare-outcomes';
import type { Comparison } from './sides';

export interface Deviation {
  readonly reason: string;
  readonly verdict: Verdict;
  /** @default both */
  readonly store?: StoreName;
  /** Regular expressions, without regard to case: texts that are excused, and messages of the reference. */
  readonly text?: string;
  readonly error?: string;
  /** Texts that have the verdict; also excused. Each must keep it, else the deviation is stale. */
  readonly examples: readonly string[];
}

export const DEVIATIONS = parse(readFileSync(join(__dirname, '..', 'deviations.yaml'), 'utf8')) as readonly Deviation[];

/** The first deviation that covers a difference. */
export function findDeviation(sql: string, { verdict, store, reference }: Comparison): Deviation | undefined {
  return DEVIATIONS.find((known) => {
    if (known.verdict !== verdict || (known.store ?? store) !== store) return false;
    if (known.text === undefined && known.error === undefined) return known.examples.includes(sql);
    return matches(known.text, sql) && matches(known.error, reference.error ?? '');
  });
}

const matches = (pattern: string | undefined, text: string): boolean =>
  pattern === undefined || new RegExp(pattern, 'is').test(text);
