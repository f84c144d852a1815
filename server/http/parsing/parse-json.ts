/** Parser of JSON bodies. */
import { ServiceError } from '#contract/errors';
import { parseJsonString } from '#contract/json-string';

/** @throws ServiceError `body_invalid` */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('body_invalid', 'The request body is not valid JSON.');
  }
}

const MAX_DEPTH = 32;
/** Values of any kind at any depth. The largest body, a token for 1,000 saved queries, has some 1,200. */
const MAX_VALUES = 10_000;

/**
 * No reader may understand a body differently from another: a definition says what is redacted. Refuses duplicate
 * names, the name `__proto__`, values nested too deeply, and too many of them, which take much longer than text.
 *
 * @throws ServiceError `body_invalid`
 */
export function parseStrictJson(text: string): unknown {
  ensureFewValues(text);
  const value = parseJson(text);
  ensureStrict(text);
  return value;
}

/** Each value but the first of its object or list follows a comma. @param text of any form */
function ensureFewValues(text: string): void {
  let values = 1;
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at)) {
    const character = text[at]!;
    if (character === ',' || character === '{' || character === '[') values += 1;
    at = character === '"' ? endOfString(text, at) : at + 1;
    if (values > MAX_VALUES)
      throw new ServiceError('body_invalid', `The body has more than ${MAX_VALUES} values.`, { max: MAX_VALUES });
  }
}

/** Names of an object so far; null for an array. */
type Level = Set<string> | null;

/** @param text valid JSON */
function ensureStrict(text: string): void {
  const levels: Level[] = [];
  let isNameNext = false;
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const character = text[at]!;
    if (character === '"') {
      const end = endOfString(text, at);
      const names = levels[levels.length - 1];
      if (isNameNext && names) addName(names, parseJsonString(text.slice(at, end)));
      isNameNext = false;
      at = end - 1;
    } else if (character === '{' || character === '[') {
      levels.push(character === '{' ? new Set() : null);
      isNameNext = character === '{';
      if (levels.length > MAX_DEPTH)
        throw new ServiceError('body_invalid', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (character === '}' || character === ']') {
      levels.pop();
      isNameNext = false;
    } else if (character === ',') isNameNext = levels[levels.length - 1] !== null;
  }
}

/** What is neither blank nor a part of a scalar. */
const MARK = /[",[\]{}]/g;

/** Offset of the next mark, or the end of the text. */
function nextMark(text: string, from: number): number {
  MARK.lastIndex = from;
  return MARK.test(text) ? MARK.lastIndex - 1 : text.length;
}

/** Offset after the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

const SHOWN_CHARACTERS = 64;

function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') throw new ServiceError('body_invalid', 'The body has the name "__proto__". Remove it.');
  if (names.has(name)) {
    const shown = JSON.stringify(name.slice(0, SHOWN_CHARACTERS));
    throw new ServiceError('body_invalid', `The body has the name ${shown} twice in one object.`);
  }
  names.add(name);
}
