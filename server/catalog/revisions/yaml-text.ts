/**
 * YAML texts of definitions of any kind: written from JSON, changed by a merge patch, and what is read of them before
 * they are checked.
 */
import { type Document, isMap, parseDocument, Scalar, stringify, visit } from 'yaml';
import { ServiceError } from '#contract/errors';
import type { Position } from '#contract/errors';
import { UUID_PATTERN } from '#contract/queries/saved-query';
import { isRecord } from '#contract/records';
import type { DefinitionProblem } from '../definitions/definition-problem';
import { MAX_FILE_BYTES } from '../definitions/load-definitions';
import { readYaml } from '../definitions/yaml-file';

/** Lines are not folded: the package folds quoted texts so that some do not read back as they were. */
const WRITTEN = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

/** @param value a definition as JSON, not checked */
export function formatText(value: Readonly<Record<string, unknown>>): string {
  return boundedDepth(() => stringify(value, { ...WRITTEN, blockQuote: 'literal' }));
}

/**
 * @throws ServiceError `definition_invalid` when the work needs a deeper stack than there is
 */
function boundedDepth<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError('definition_invalid', 'The definition is nested too deeply.', {
      problems: [{ path: [], reason: 'it is nested too deeply' }],
    });
  }
}

/**
 * Applies a merge patch [RFC 7396] to the text. Comments and the form of fields that are not changed stay.
 *
 * @param text of a stored revision
 * @throws ServiceError `definition_invalid`
 */
export function patchText(text: string, patch: Readonly<Record<string, unknown>>): string {
  const document = parseDocument(text);
  boundedDepth(() => applyPatch(document, [], patch));
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && node.value.includes('\n')) node.type = Scalar.BLOCK_LITERAL;
    },
  });
  return document.toString(WRITTEN);
}

function applyPatch(document: Document, path: readonly string[], patch: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(patch)) {
    const at = [...path, key];
    if (value === null) document.deleteIn(at);
    else if (isRecord(value) && isMap(document.getIn(at, true))) applyPatch(document, at, value);
    else document.setIn(at, document.createNode(isRecord(value) ? withoutNulls(value) : value));
  }
}

/** A patch creates objects without the members that are null. */
function withoutNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, isRecord(member) ? withoutNulls(member) : member]));
}

/** @param problems with their positions in the text; at least one */
export function invalidText(problems: readonly DefinitionProblem[]): ServiceError {
  return new ServiceError('definition_invalid', firstProblem(problems), {
    problems: problems.map(({ line, column, reason, path }) => ({
      ...(path && { path }),
      position: { line, column } satisfies Position,
      reason,
    })),
    ...(problems[0] ? { position: { line: problems[0].line, column: problems[0].column } } : {}),
  });
}

function firstProblem(problems: readonly { readonly reason: string }[]): string {
  const rest = problems.length - 1;
  const more = rest === 1 ? ' There is one more problem.' : ` There are ${rest} more problems.`;
  return `The definition is not valid: ${problems[0]?.reason ?? 'it is empty'}.${rest > 0 ? more : ''}`;
}

/** NUL, or half of a surrogate pair, as JSON writes them; an even number of backslashes before is text. */
const UNPRINTABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Escapes in JSON and YAML can write what no store takes. @throws ServiceError `definition_invalid` */
export function ensureWellFormed(definition: object): void {
  const entries: readonly [string, unknown][] = Object.entries(definition);
  const [field] = entries.find(([, value]) => UNPRINTABLE.test(JSON.stringify(value) ?? '')) ?? [];
  if (field === undefined) return;
  const reason = `"${field}" holds a NUL character or half of a surrogate pair`;
  throw new ServiceError('definition_invalid', `The definition is not valid: ${reason}.`, {
    problems: [{ path: [field], reason }],
  });
}

/** A text field of a text that was sent; undefined when it is missing or cannot be read. */
export function sentField(text: string, field: 'id' | 'name'): string | undefined {
  try {
    const { value } = readYaml(text);
    const sent = isRecord(value) ? value[field] : undefined;
    return typeof sent === 'string' ? sent : undefined;
  } catch {
    return undefined;
  }
}

/** The parser of YAML fails on texts that are nested too deeply: that is a problem of the text. */
export function boundedParse<T>(parse: () => T): T | readonly DefinitionProblem[] {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ file: 'definition', line: 1, column: 1, reason: 'it is nested too deeply' }];
  }
}

/** A longer text could not be read as a file, nor at the next start. @throws ServiceError `definition_invalid` */
export function ensureFileSize(text: string): void {
  if (Buffer.byteLength(text) <= MAX_FILE_BYTES) return;
  const reason = `it is longer than ${MAX_FILE_BYTES} bytes`;
  throw new ServiceError('definition_invalid', `The definition is not valid: ${reason}.`, {
    problems: [{ path: [], reason }],
    hint: 'divide it into several, or shorten long texts and lists in it',
  });
}

/**
 * @param idOrName in the path of a request that creates the definition
 * @throws ServiceError `definition_invalid` when the text has another
 */
export function ensureOfPath(text: string, idOrName: string): void {
  const field = UUID_PATTERN.test(idOrName) ? 'id' : 'name';
  const sent = sentField(text, field);
  const isSame = field === 'id' ? sent?.toLowerCase() === idOrName.toLowerCase() : sent === idOrName;
  if (sent === undefined || isSame) return;
  const reason = `the ${field} in the path is ${idOrName.slice(0, SHOWN_CHARACTERS)}`;
  throw new ServiceError('definition_invalid', `The definition has another ${field} than the path.`, {
    problems: [{ path: [field], reason }],
    hint: `leave the ${field} out, or send the definition under it`,
  });
}

const SHOWN_CHARACTERS = 128;
