/** Entries of the audit trail in words. */
import type { AuditAction, AuditEntry } from '#contract/changes/audit';
import { keysOf } from '#contract/records';
import { formatMoment } from '../../parts/format-change';

/** By action, so that none is forgotten. */
const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'saved_query.create': 'created the saved query',
  'saved_query.update': 'changed the saved query',
  'saved_query.restore': 'restored the saved query',
  'saved_query.delete': 'deleted the saved query',
  'saved_query.purge': 'dropped the cached results of',
  'source.create': 'created the source',
  'source.update': 'changed the source',
  'source.restore': 'restored the source',
  'source.delete': 'deleted the source',
  'token.create': 'created the token',
  'token.change': 'changed the token',
  'token.rotate': 'gave a new text to the token',
  'token.revoke': 'revoked the token',
};
export const AUDIT_ACTIONS = keysOf(ACTIONS);
export const formatAction = (action: AuditAction): string => ACTIONS[action];

/** What changed: names of fields, or a field with its values before and after. */
export function formatDetails({ action, details }: AuditEntry): readonly string[] {
  if (details === null) return [];
  const { changed, changes, grace_seconds, shortened, ...policy } = details;
  if (Array.isArray(changed)) return changed.map(String);
  const isShortened = (field: string): boolean => Array.isArray(shortened) && shortened.includes(field);
  const formatValue = (field: string, value: unknown): string =>
    `${formatJson(value)}${isShortened(field) ? ', …' : ''}`;
  if (typeof changes === 'object' && changes !== null)
    return Object.entries(changes as Readonly<Record<string, { from: unknown; to: unknown }>>).map(
      ([field, { from, to }]) => `${formatField(field)} from ${formatValue(field, from)} to ${formatValue(field, to)}`
    );
  if (action === 'token.rotate') return [`the old text stayed valid for ${String(grace_seconds)} s`];
  return Object.entries(policy)
    .filter(([field, value]) => field !== 'name' && !isUsual(value))
    .map(([field, value]) => `${formatField(field)} ${formatValue(field, value)}`);
}

const FIELDS: Readonly<Record<string, string>> = {
  expires_at: 'valid until',
  endpoints: 'saved queries',
  max_rows: 'rows at most',
  rate: 'requests a minute',
};

/** The words of the pages for a field; others as the API names them. */
const formatField = (field: string): string => FIELDS[field] ?? field.replaceAll('_', ' ');

/** A limit that a token does not have. */
function isUsual(value: unknown): boolean {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return value === null || value === false || value === '*' || isEmpty;
}

const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

function formatJson(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value === 'string' && TIME.test(value)) return formatMoment(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
