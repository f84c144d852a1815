/** What a change of a source does to the events that are stored. */
import { serviceClock } from '../../../api/service-clock';
import type { ListedSource } from '../../../api/shapes';
import { formatMoment } from '../../../parts/format-change';
import { formatCount } from '../../../results/values/format-value';
import { definitionOf, type SourceDefinition, type SourceFields } from './source-fields';

const DAY_MS = 86_400_000;

interface Warnings {
  readonly retention: string | null;
  readonly tenant: string | null;
}

/** @param listed figures of the source; undefined: not known */
export function changeWarnings(
  before: SourceDefinition,
  after: SourceFields,
  listed: Pick<ListedSource, 'events' | 'oldest_event'> | undefined,
  nowMs = serviceClock.now()
): Warnings {
  const { tenant, retention_days: days = 90 } = definitionOf(after);
  const isLower = typeof days === 'number' && days > 0 && days < before.retention_days;
  const hasEvents = listed?.events !== 0;
  return {
    retention: isLower && hasEvents ? lowerRetention(days, listed?.oldest_event ?? null, nowMs) : null,
    tenant:
      tenant !== before.tenant && tenant !== null && hasEvents
        ? 'Stored events that have no value there belong to no tenant: tokens of a tenant do not read them.'
        : null,
  };
}

function lowerRetention(days: number, oldest: string | null, nowMs: number): string {
  const text = `Events older than ${formatCount(days, 'day')} will be deleted, and cannot be brought back.`;
  if (oldest === null) return text;
  return Date.parse(oldest) < nowMs - days * DAY_MS
    ? `${text} The oldest is of ${formatMoment(oldest)}.`
    : `${text} At present, no event is older.`;
}
