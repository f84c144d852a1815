/**
 * Redacts rows. RedactedResult is the only input of the encoders, so no row leaves the engine unredacted by mistake.
 */
import { ServiceError } from '#contract/errors';
import type { RedactionKind } from '#contract/redaction';
import type { OutputColumn } from '#compiler';
import type { RedactionPolicy } from '../redaction/policy';
import { createRedactor, type Redactor } from '../redaction/redact-value';
import type { StoreRows } from '../../stores/store';

declare const redacted: unique symbol;

/** Created by `redact()` only. */
export interface RedactedResult extends StoreRows {
  readonly [redacted]: true;
  readonly fields: readonly OutputColumn[];
  /** Whether a redaction policy was applied. */
  readonly isRedacted: boolean;
  /** Number of replaced texts by kind. */
  readonly replaced: Readonly<Partial<Record<RedactionKind, number>>>;
}

/**
 * Redacts rows; the policy null changes nothing. Column names stay, but names of nested fields come from events and are
 * redacted.
 */
export function redact(fields: readonly OutputColumn[], rows: StoreRows, policy: RedactionPolicy): RedactedResult {
  if (policy === null) return { ...rows, fields, isRedacted: false, replaced: {} } as RedactedResult;
  const replaced: Partial<Record<RedactionKind, number>> = {};
  const redactor = createRedactor(policy.kinds, (kind) => (replaced[kind] = (replaced[kind] ?? 0) + 1));
  const columns = rows.columns.map((values, index) => {
    const field = fields[index];
    const one = field && redactor.forValue(field.writtenName ?? field.name, field.type);
    return one ? withinSearch(() => values.map(one)) : values;
  });
  const described = fields.map((field) => redactedType(field, redactor));
  return { ...rows, columns, fields: described, isRedacted: true, replaced } as unknown as RedactedResult;
}

function redactedType(field: OutputColumn, { text }: Redactor): OutputColumn {
  return { ...field, typeName: text(field.typeName) };
}

/**
 * Regular expressions have a stack of a fixed size, which texts of several megabytes exceed. Only aggregates make such
 * texts.
 * @throws ServiceError `resource_limit` then
 */
function withinSearch<T>(search: () => T): T {
  try {
    return search();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError(
      'resource_limit',
      'A text of the result is too long to be searched for what is redacted. Return shorter texts: aggregate fewer rows.',
      { reason: 'text_too_long' },
      { cause: error }
    );
  }
}
