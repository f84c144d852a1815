/** Recall and precision of redaction in log lines: the table of docs/redaction.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REDACTION_KINDS, type RedactionKind } from '#contract/redaction';
import { DETECTORS } from '#server/engine/redaction/policy';
import { findAll } from '#server/engine/redaction/redact-text';
import { createRedactor } from '#server/engine/redaction/redact-value';

interface Line {
  readonly style: string;
  readonly text: string;
  readonly hidden: Readonly<Partial<Record<RedactionKind, readonly string[]>>>;
}

const ROOT = join(__dirname, '../../../..');
const LINES = parse(readFileSync(join(ROOT, 'tests/corpus/redaction/lines.yaml'), 'utf8')) as readonly Line[];
const { text: redact } = createRedactor(REDACTION_KINDS);

const foundIn = (text: string, kind: RedactionKind): string[] =>
  findAll(text, DETECTORS)
    .filter((find) => find.kind === kind)
    .map(({ start, end }) => text.slice(start, end));

function measured(kind: RedactionKind) {
  let labeled = 0;
  let found = 0;
  let right = 0;
  for (const { text, hidden } of LINES) {
    const wanted = [...(hidden[kind] ?? [])];
    labeled += wanted.length;
    for (const one of foundIn(text, kind)) {
      found += 1;
      const at = wanted.indexOf(one);
      if (at === -1) continue;
      wanted.splice(at, 1);
      right += 1;
    }
  }
  return { labeled, found, right, precision: right / found, recall: right / labeled };
}

test.each(REDACTION_KINDS)('the table in the documentation shows how well %s is found', (kind) => {
  const { labeled, found, right, precision, recall } = measured(kind);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const row = `| \`${kind}\` | ${labeled} | ${found} | ${right} | ${percent(precision)} | ${percent(recall)} |`;
  expect(readFileSync(join(ROOT, 'docs/redaction.md'), 'utf8')).toContain(row);
  expect(precision).toBeGreaterThanOrEqual(0.95);
  expect(recall).toBeGreaterThanOrEqual(0.9);
});

test('redacting a line twice gives the same as redacting it once', () => {
  for (const { text } of LINES) expect(redact(redact(text))).toBe(redact(text));
});
