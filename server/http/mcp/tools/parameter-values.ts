/** Values of parameters that a saved query lists, or names a query for. */
import { ServiceError } from '#contract/errors';
import type { Parameter, SavedQuery } from '#contract/queries/saved-query';
import { requestFacts } from '../../request/request-facts';
import { visibleEndpoint } from '../../request/visible-endpoint';
import type { NameValue } from '../../parsing/query-string';
import type { ToolCall } from '../tool-call';
import { printSpecial } from '../visible-characters';
import { readRows } from './read-rows';

const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 80;

export interface KnownValues {
  /** Redacted. */
  readonly values: readonly string[];
  /** Whether there are no others. */
  readonly areAll: boolean;
}

const NONE: KnownValues = { values: [], areAll: false };

/** @returns the values as this token sees them; none where it may not run the query, or cannot choose */
export async function valuesOf(call: ToolCall, parameter: Parameter): Promise<KnownValues> {
  const { ctx, principal, tenant, req } = call;
  const { name, enum: choices, values } = parameter;
  const isFixed =
    Object.hasOwn(principal.policy.fixed_parameters, name) || (tenant !== null && parameter.tenant === true);
  if (isFixed) return NONE;
  if (choices !== undefined || values === undefined) return { values: choices ?? [], areAll: true };
  if (values.sql !== undefined && !principal.policy.scopes.includes('adhoc')) return NONE;
  const facts = requestFacts(req);
  const { call: noted } = facts;
  try {
    const definition = visibleEndpoint(ctx, principal, values.query);
    const adhoc = values.sql === undefined ? null : ({ language: 'sql', text: values.sql } as const);
    const entries = Object.entries(values.parameters);
    const { rows, facts: ofResult } = await readRows(call, {
      definition,
      adhoc,
      entries,
      maxRows: MAX_VALUES,
      redact: true,
    });
    const found = rows.flatMap((row) => {
      const [value] = Object.values(row);
      return typeof value === 'string' && value !== '' ? [printSpecial(value).slice(0, MAX_VALUE_LENGTH)] : [];
    });
    return { values: found, areAll: !ofResult.truncated };
  } catch (error) {
    if (error instanceof ServiceError) return NONE;
    throw error;
  } finally {
    // The request is about another call.
    if (noted === undefined) delete facts.call;
    else facts.call = noted;
  }
}

/** Why a call without rows may have none: a sentence for each value that the events do not have. */
export async function unknownValueNotes(
  call: ToolCall,
  { parameters }: SavedQuery,
  entries: readonly NameValue[]
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const parameter of parameters) {
    const given = entries.find(([name]) => name === parameter.name)?.[1] ?? '';
    if (given === '' || parameter.values === undefined) continue;
    const { values, areAll } = await valuesOf(call, parameter);
    if (values.length === 0 || !areAll || values.includes(printSpecial(given).slice(0, MAX_VALUE_LENGTH))) continue;
    const known = values.map((value) => JSON.stringify(value)).join(', ');
    notes.push(`The value of "${parameter.name}" is not among the known ones: ${known}.`);
  }
  return notes;
}
