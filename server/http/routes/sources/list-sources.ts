/** Lists the sources with their columns, their retention, and the number, bytes and age of their events. */
import type { StoredSource } from '#contract/queries/description';
import type { Source } from '#contract/events/source';
import type { Arrivals } from '../../../monitoring/activity/arrivals';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { ensureSeesSources } from '../../request/ensure-sees-sources';
import type { KeyedCall, KeyedHandler } from '../../router';
import { sendJson } from '../../response/send-body';

export const listSources: KeyedHandler = async ({ ctx, req, res, principal, tenant }) => {
  negotiateFormat(req, ['json']);
  ensureSeesSources({ principal, tenant }, 'Sources are listed');
  const [sources, { last }, misfits, fieldUse] = await Promise.all([
    ctx.sourceCheck.read(),
    ctx.storeStats(),
    ctx.engine.call('misfits', {}),
    ctx.engine.call('fieldUse', {}),
  ]);
  const stored = new Map(sources.map((source) => [source.name, source]));
  res.setHeader('Cache-Control', 'private, no-cache');
  await sendJson(req, res, {
    result: ctx.sources.all.map((source) => ({
      ...describe(source, stored.get(source.name)),
      ...ownerOf(ctx, source),
      dead_letters: last && (last.deadLetters[source.name] ?? 0),
      misfits: misfits[source.name] ?? { values: 0, fields: [] },
      nested_fields: fieldUse[source.name] ?? null,
      arrivals: describeArrivals(ctx.activity.arrivals.of(source.name)),
    })),
  });
};

function ownerOf({ sources, managedSources }: KeyedCall['ctx'], source: Source) {
  const isOfApi = sources.ofApi.some(({ name }) => name === source.name);
  return {
    origin: isOfApi ? 'api' : 'file',
    revision: isOfApi ? (managedSources.find(source.name)?.revision ?? null) : null,
  };
}

function describe(source: Source, stored: StoredSource | undefined) {
  const { name, aliases, description, retention_days, tenant, tenant_optional, columns, fields } = source;
  return {
    name,
    aliases,
    description,
    retention_days,
    tenant,
    tenant_optional,
    declared: { columns, fields },
    columns: stored?.columns ?? [],
    events: stored?.events ?? 0,
    bytes: stored?.bytes ?? 0,
    days: stored?.days?.stored ?? null,
    sealed_days: stored?.days?.sealed ?? null,
    seal_fault: stored?.days?.sealFault ?? null,
    oldest_event: timeText(stored?.oldestMicros ?? null),
    newest_event: timeText(stored?.newestMicros ?? null),
  };
}

function describeArrivals({ since, storedByMinute, duplicates, rejected }: Arrivals) {
  return { since: since.toISOString(), stored_by_minute: storedByMinute, duplicates, rejected };
}

/** RFC 3339 with microseconds. */
function timeText(micros: number | null): string | null {
  if (micros === null) return null;
  const whole = Math.floor(micros / 1e6);
  const fraction = String(micros - whole * 1e6).padStart(6, '0');
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}
