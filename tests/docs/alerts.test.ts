/** The alert rules for Prometheus name metrics and labels that exist, and are those of docs/operations.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../..');
const document = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const { groups } = parse(readFileSync(join(ROOT, 'provisioning/prometheus/alerts.yml'), 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const rules = groups.flatMap(({ rules: list }) => list);
const named = (text: string): ReadonlySet<string> => new Set(text.match(/\blogquery_\w+/g));

/** Labels of the metrics, as the table of the document has them; metrics.test.ts compares it with the code. */
const metrics = new Map(
  document
    .split('\n')
    .filter((line) => line.startsWith('| `logquery_'))
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter(([, name]) => /^`\w+`$/.test(name!))
    .map(([, name, labels]) => [name!.slice(1, -1), new Set(labels!.match(/\w+/g))])
);

it.each(rules.map((rule) => [rule.alert, rule] as const))('%s reads metrics with their labels', (_, rule) => {
  for (const [, name, matchers = ''] of rule.expr.matchAll(/\b(logquery_\w+)(?:\{([^}]*)\})?/g)) {
    expect([...metrics.keys()]).toContain(name);
    for (const [, label] of matchers.matchAll(/(\w+)=/g)) expect([...metrics.get(name!)!]).toContain(label);
  }
  // What an aggregation drops is not in the alert.
  const kept = /\bby \(([^)]*)\)/.exec(rule.expr)?.[1]?.split(/, */);
  const labels = kept ?? ['instance', ...[...named(rule.expr)].flatMap((name) => [...metrics.get(name)!])];
  for (const text of Object.values(rule.annotations)) {
    for (const [, label] of text.matchAll(/\$labels\.(\w+)/g)) expect(labels).toContain(label);
  }
});

it('docs/operations.md lists the alerts, and the metrics that they are about', () => {
  const section = /^### Alerts\n([^]*?)^## /m.exec(document)![1]!;
  expect(rules.map(({ alert }) => alert).sort()).toEqual(
    [...section.matchAll(/`(LogQuery\w+)`/g)].map(([, name]) => name).sort()
  );
  expect([...named(rules.map(({ expr }) => expr).join(' '))].sort()).toEqual([...named(section)].sort());
});
