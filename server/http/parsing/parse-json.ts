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

/**
 * No reader may understand a body differently from another: a definition says what is redacted. Refuses duplicate
 * names, the name `__proto__`, and values nested too deeply.
 * @throws ServiceError `body_invalid`
 */
export function parseStrictJson(text: string): unknown {
  const value = parseJson(text);
  ensureStrict(text);
  return value;
}

/** Names of an object so far; null for an array. */
type Level = Set<string> | null;

/** @param text valid JSON */
function ensureStrict(text: string): void {
  const levels: Level[] = [];
  let isNameNext = false;
  for (let at = 0; at < text.length; at += 1) {
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

/** Offset after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
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
