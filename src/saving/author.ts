/** Who made a revision: the user of Grafana that its note begins with, or the token. */
import type { RevisionSummary } from '#contract/plugin/saving';

const NOTE = /^saved in Grafana by ([^()]+) \(organization \d+\)(?:: ([\s\S]*))?$/;

export function authorOf({ by, message }: Pick<RevisionSummary, 'by' | 'message'>): string {
  const user = NOTE.exec(message ?? '')?.[1];
  const token = by.token_name ?? by.database_user ?? 'command line';
  return user === undefined ? token : `${user} (${token})`;
}

/** The note without who saved it; empty for none. */
export function noteOf({ message }: Pick<RevisionSummary, 'message'>): string {
  const match = NOTE.exec(message ?? '');
  return match ? (match[2] ?? '') : (message ?? '');
}
