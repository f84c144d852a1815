/**
 * What the audit trail keeps of a token's policy. A policy may have hundreds of kilobytes, and a token may make a
 * change each second, while entries are kept for a year: of long lists and texts an entry has the first part.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRecord, keysOf } from '#contract/records';
import type { TokenPolicy } from '#contract/tokens/token';

/** Items of a list, and fixed parameters, that an entry has. */
const MAX_ITEMS = 50;
/** UTF-16 code units of a fixed parameter's value that an entry has. */
const MAX_VALUE_LENGTH = 100;

type Details = Readonly<Record<string, unknown>>;

/** @returns the policy; `shortened` names the fields that are not whole */
export function policyDetails(policy: TokenPolicy): Details {
  return { ...shorten(policy, null), ...noteShortened(keysOf(policy), [policy]) };
}

/**
 * @returns `changes` with the former and the present value of each changed field; null when none has changed.
 * `shortened` names the fields that are not whole: in these, what differs comes first.
 */
export function changeDetails(old: TokenPolicy, policy: TokenPolicy): Details | null {
  const changed = keysOf(policy).filter((field) => !isDeepStrictEqual(old[field], policy[field]));
  if (changed.length === 0) return null;
  const [from, to] = [shorten(old, policy), shorten(policy, old)];
  const changes = Object.fromEntries(changed.map((field) => [field, { from: from[field], to: to[field] }]));
  return { changes, ...noteShortened(changed, [old, policy]) };
}

function noteShortened(fields: readonly (keyof TokenPolicy)[], policies: readonly TokenPolicy[]): Details {
  const shortened = fields.filter((field) => policies.some((policy) => !isShort(policy[field])));
  return shortened.length === 0 ? {} : { shortened };
}

function isShort(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MAX_ITEMS;
  if (!isRecord(value)) return true;
  const texts = Object.values(value);
  return texts.length <= MAX_ITEMS && texts.every((text) => String(text).length <= MAX_VALUE_LENGTH);
}

/** @param other the policy whose differences come first in fields that are not whole */
function shorten(policy: TokenPolicy, other: TokenPolicy | null): TokenPolicy {
  const { endpoints, fixed_parameters } = policy;
  return {
    ...policy,
    ...(isShort(endpoints) ? {} : { endpoints: shortList(endpoints, other?.endpoints) }),
    ...(isShort(fixed_parameters) ? {} : { fixed_parameters: shortTexts(fixed_parameters, other?.fixed_parameters) }),
  };
}

type Endpoints = TokenPolicy['endpoints'];

function shortList(list: Endpoints, other: Endpoints | undefined): Endpoints {
  if (list === '*') return list;
  const known = new Set(other === '*' ? [] : other);
  return [...list.filter((entry) => !known.has(entry)), ...list.filter((entry) => known.has(entry))].slice(
    0,
    MAX_ITEMS
  );
}

type Texts = Readonly<Record<string, string>>;

function shortTexts(texts: Texts, other: Texts | undefined): Record<string, string> {
  const isKnown = ([name, text]: readonly [string, string]): boolean => other?.[name] === text;
  const entries = Object.entries(texts);
  const ordered = [...entries.filter((entry) => !isKnown(entry)), ...entries.filter(isKnown)];
  return Object.fromEntries(ordered.slice(0, MAX_ITEMS).map(([name, text]) => [name, shortText(text)]));
}

function shortText(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…`;
}
