/** Identity of events without an id. See docs/decisions/0015-event-identity.md. */
import { createHash } from 'node:crypto';
import type { TenantRule } from '#contract/events/ingest';
import type { Deliveries, Delivery } from './deliveries';

export interface BodyFacts {
  readonly source: string;
  readonly tenant: TenantRule;
  /** SHA-256 of the events' bytes. */
  readonly digest: Buffer;
  /** True when an event has its own timestamp, finer than a second. */
  readonly hasFineTime: boolean;
  /** Idempotency key of the request; null: it has none. */
  readonly idempotencyKey: string | null;
}

export interface IdentifiedBody {
  /** Base of the events' identity (`EventIdentity.base`). */
  readonly base: string;
  /** Null: the body alone identifies a retry. */
  readonly delivery: Delivery | null;
}

export function identifyBody(facts: BodyFacts, deliveries: Deliveries): IdentifiedBody {
  const { source, tenant, digest, hasFineTime, idempotencyKey } = facts;
  const body = [source, tenant.confinedTo, tenant.given, digest.toString('base64url')];
  if (idempotencyKey !== null) return { base: digestOf(['key', idempotencyKey, ...body]), delivery: null };
  if (hasFineTime) return { base: digestOf(['body', ...body]), delivery: null };
  const delivery = deliveries.begin(digestOf(['ambiguous', ...body]));
  return { base: digestOf(['delivery', delivery.name, ...body]), delivery };
}

/** Characters of base64url: 132 bits. */
const BASE_LENGTH = 22;

function digestOf(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, BASE_LENGTH);
}
