/**
 * Markers take the place of values that become parameters: macros and variables are resolved to them as they are to
 * values, LQL is compiled with them, and the SQL that results has a parameter where a marker is a whole literal.
 */
import { tokenizeTemplate, type TemplateToken } from '#compiler/browser';
import { PluginError } from '../service-client/failures/plugin-error';

/** Ends of a time range that no panel has; odd to the second and millisecond, so that no rounding yields them. */
export const MARKED_TIME = {
  fromMs: Date.UTC(2199, 0, 2, 3, 4, 5, 678),
  toMs: Date.UTC(2199, 10, 12, 13, 14, 15, 987),
} as const;

const FROM_PARAMETER = 'time_from';
const TO_PARAMETER = 'time_to';

export const VARIABLE_MARKER = /^lqe_variable_\w{1,64}$/;

/** Parameter names of the markers. */
export interface MarkedParameters {
  readonly from: string;
  readonly to: string;
  /** Parameter by the marker of its variable. */
  readonly variables: ReadonlyMap<string, string>;
}

/** @param taken names of parameters that mean something else */
export function timeParameterNames(taken: ReadonlySet<string>): Pick<MarkedParameters, 'from' | 'to'> {
  return { from: freeName(FROM_PARAMETER, taken), to: freeName(TO_PARAMETER, taken) };
}

export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  return name;
}

/** @throws PluginError `not_composable` for a marker that is not a whole literal */
export function parametersForMarkers(sql: string, marked: MarkedParameters): string {
  const tokens = tokenizeTemplate(sql).filter(({ kind }) => kind !== 'comment');
  const parts: string[] = [];
  let end = 0;
  for (let at = 0; at < tokens.length; at++) {
    const found = replacementAt(tokens, at, marked);
    if (!found) continue;
    parts.push(sql.slice(end, tokens[at]!.offset), found.text);
    at += found.length - 1;
    end = tokens[at]!.end;
  }
  const replaced = parts.join('') + sql.slice(end);
  ensureNoMarker(replaced, marked);
  return replaced;
}

interface Replacement {
  readonly text: string;
  /** Number of tokens that it replaces. */
  readonly length: number;
}

function replacementAt(
  tokens: readonly TemplateToken[],
  at: number,
  { from, to, variables }: MarkedParameters
): Replacement | undefined {
  const { kind, value, symbol } = tokens[at]!;
  const parameterOf = (ms: number): string | undefined =>
    ms === MARKED_TIME.fromMs ? `@${from}` : ms === MARKED_TIME.toMs ? `@${to}` : undefined;
  if (symbol === 'TIMESTAMP' && tokens[at + 1]?.kind === 'string') {
    const parameter = parameterOf(timeOf(tokens[at + 1]!.value));
    return parameter === undefined ? undefined : { text: asTime(parameter), length: 2 };
  }
  if (symbol === 'TIMESTAMP_MILLIS' && tokens[at + 1]?.symbol === '(' && tokens[at + 3]?.symbol === ')') {
    const parameter = parameterOf(numberOf(tokens[at + 2]!));
    return parameter === undefined ? undefined : { text: asTime(parameter), length: 4 };
  }
  if (kind === 'string') {
    const variable = variables.get(value);
    const parameter = variable === undefined ? parameterOf(timeOf(value)) : `@${variable}`;
    return parameter === undefined ? undefined : { text: parameter, length: 1 };
  }
  const number = numberOf(tokens[at]!);
  const millis = parameterOf(number);
  if (millis !== undefined) return { text: `UNIX_MILLIS(${asTime(millis)})`, length: 1 };
  if (number === SECONDS.from) return { text: `UNIX_SECONDS(${asTime(`@${from}`)})`, length: 1 };
  if (number === SECONDS.to) return { text: `UNIX_SECONDS(${asTime(`@${to}`)})`, length: 1 };
  return undefined;
}

const SECONDS = {
  from: Math.floor(MARKED_TIME.fromMs / 1000),
  to: Math.floor(MARKED_TIME.toMs / 1000),
} as const;

/** Parameters are texts; only comparisons convert them. */
function asTime(parameter: string): string {
  return `CAST(${parameter} AS TIMESTAMP)`;
}

function numberOf({ kind, text }: TemplateToken): number {
  return kind === 'number' && /^\d+$/.test(text) ? Number(text) : NaN;
}

/** Milliseconds since 1970 of `2199-01-02T03:04:05.678Z`, and of `2199-01-02 03:04:05.678000+00`. */
function timeOf(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d\.\d{3})(?:0{3})?(?:Z|\+00)$/.exec(text);
  return match ? Date.parse(`${match[1]}T${match[2]}Z`) : NaN;
}

const TIME_TEXTS = [MARKED_TIME.fromMs, MARKED_TIME.toMs].flatMap((ms) => [
  new Date(ms).toISOString().slice(0, 19),
  new Date(ms).toISOString().slice(0, 19).replace('T', ' '),
  String(Math.floor(ms / 1000)),
]);

/** Whether a text that a person wrote has a time marker in it, by an odd chance. */
export function hasTimeMarker(text: string): boolean {
  return TIME_TEXTS.some((each) => text.includes(each));
}

/** @throws PluginError `not_composable` */
function ensureNoMarker(sql: string, { variables }: MarkedParameters): void {
  const variable = [...variables.keys()].find((marker) => sql.includes(marker));
  if (variable !== undefined)
    throw notComposable(
      `The variable $${variable.replace(/^lqe_variable_/, '')} is not a whole value in the text, so it cannot become a parameter.`,
      'save its present value instead, or rewrite the text'
    );
  if (hasTimeMarker(sql))
    throw notComposable(
      'An end of the time range is inside a longer literal, so it cannot become a parameter.',
      'use $__timeFilter(timestamp), or compare a column with the end alone'
    );
}

export function notComposable(message: string, hint?: string): PluginError {
  return new PluginError('not_composable', message, { status: 400, ...(hint === undefined ? {} : { hint }) });
}
