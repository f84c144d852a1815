/** Counts of verdicts of one set of texts, and a file with what differs. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreName } from '../../support/stores/current';
import type { Verdict } from './compare-outcomes';
import { findDeviation } from './deviations';
import type { Comparison } from './sides';

const FOLDER = process.env['LQE_REFERENCE_RESULTS'] ?? join('build', 'reference');

/** Not wrong: a text may ask for no order, and what is refused is not answered wrongly. */
const ACCEPTABLE: readonly Verdict[] = ['same', 'both refuse', 'refused here', 'not comparable'];

export class Tally {
  /** Differences that no deviation covers, one line each. */
  readonly differences: string[] = [];
  private readonly counts = new Map<StoreName, Map<string, number>>();
  private readonly file: string;

  constructor(private readonly set: string) {
    mkdirSync(FOLDER, { recursive: true });
    this.file = join(FOLDER, `differences-${set.replace(/\W+/g, '-')}.ndjson`);
    writeFileSync(this.file, '');
  }

  add(sql: string, comparisons: readonly Comparison[]): void {
    for (const comparison of comparisons) {
      const { store, verdict, reference, ours } = comparison;
      const known = findDeviation(sql, comparison);
      const isDifference = known === undefined && !ACCEPTABLE.includes(verdict);
      this.count(store, known === undefined ? verdict : 'documented');
      if (verdict === 'same' || verdict === 'both refuse') continue;
      appendFileSync(
        this.file,
        `${JSON.stringify({ store, verdict, documented: known?.reason, sql, reference: brief(reference), ours: brief(ours) })}\n`
      );
      if (isDifference) this.differences.push(`${store}, ${verdict}: ${sql}`);
    }
  }

  /** Adds the counts to the table that scripts/optional-suites/reference.mjs prints. */
  report(): void {
    for (const [store, counts] of this.counts) {
      const line = { set: this.set, store, ...Object.fromEntries(counts) };
      appendFileSync(join(FOLDER, 'counts.ndjson'), `${JSON.stringify(line)}\n`);
    }
  }

  private count(store: StoreName, verdict: string): void {
    const counts = this.counts.get(store) ?? new Map<string, number>();
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    this.counts.set(store, counts);
  }
}

function brief(outcome: object): unknown {
  const text = JSON.stringify(outcome);
  return text.length < 4000 ? outcome : `${text.slice(0, 4000)} ...`;
}
