/** The identity of the events of a body that bring no id. See docs/decisions/0015-event-identity.md. */
import { createHash } from 'node:crypto';
import type { TenantRule } from '#contract/ingest';
import type { Deliveries, Delivery } from './deliveries';

export interface BodyFacts {
  readonly source: string;
  readonly tenant: TenantRule;
  /** SHA-256 of the events' bytes. */
  readonly digest: Buffer;
  /** Whether an event has a time of its own that is finer than a second. */
  readonly hasFineTime: boolean;
  /** Of the request; null: it has none. */
  readonly idempotencyKey: string | null;
}

export interface IdentifiedBody {
  /** `EventIdentity.base`. */
  readonly base: string;
  /** Null: a retry is recognized by the body alone. */
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

/** 132 bits. */
const BASE_LENGTH = 22;

function digestOf(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, BASE_LENGTH);
}
