/**
 * The file of one revision: facts as `key: JSON value` lines, a line `---`, then the definition as it was sent. A
 * revision that deletes has no definition.
 */
import { createHash } from 'node:crypto';
import { type RevisionFacts, revisionFactsSchema } from '#contract/changes/revision';

export interface StoredRevision extends RevisionFacts {
  /** YAML of the definition; null in a revision that deletes. */
  readonly text: string | null;
}

export function factsOf(revision: StoredRevision): RevisionFacts {
  const facts: RevisionFacts & { text?: unknown } = { ...revision };
  delete facts.text;
  return facts;
}

const SEPARATOR = '\n---\n';
const DIGEST = 'digest';

/** @param noun of its kind */
export function formatRevision({ text, ...facts }: StoredRevision, noun: string): string {
  const lines = Object.entries({ ...facts, [DIGEST]: digestOf(text) });
  return (
    [
      `# A revision of a ${noun}. Written by the server, never changed.`,
      ...lines.map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ].join('\n') +
    SEPARATOR +
    (text ?? '')
  );
}

/** @returns null when the text is not whole, or not a revision of this version */
export function parseRevision(file: string): StoredRevision | null {
  const end = file.indexOf(SEPARATOR);
  if (end < 0) return null;
  const { [DIGEST]: digest, ...fields } = parseHead(file.slice(0, end)) ?? {};
  const facts = revisionFactsSchema.safeParse(fields);
  if (!facts.success) return null;
  const body = file.slice(end + SEPARATOR.length);
  const text = facts.data.action === 'delete' && body === '' ? null : body;
  return digest === digestOf(text) ? { ...facts.data, text } : null;
}

function parseHead(head: string): Record<string, unknown> | null {
  try {
    const lines = head.split('\n').filter((line) => !line.startsWith('#'));
    return Object.fromEntries(lines.map(parseLine));
  } catch {
    return null;
  }
}

function parseLine(line: string): [string, unknown] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), JSON.parse(line.slice(colon + 2))];
}

function digestOf(text: string | null): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}
