/**
 * Redacts JSON text by key: texts and numbers whose key is the name of a credential are replaced, also in lists.
 * Records below such a key are judged by their own keys (`authorization.payload.role` is not a credential), and so are
 * lists that begin with a record.
 */
import { parseJsonString } from '#contract/json-string';
import { replacementOf } from './detector';
import type { ReplaceListener } from './redact-text';
import { isSecretName, SECRET_NAME } from './secret-names';

/** Matches JSON text with such a key, or with an escape that may hide one. */
const HINT = new RegExp(String.raw`(?:${SECRET_NAME}"\s*:|\\u00)`, 'i');
/**
 * A string, a bracket, a comma, or a number or word. The alternatives start with different characters, so matching is
 * linear.
 */
const PART = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],:]+/gs;
const COLON = /\s*:/y;
const NUMBER = /^-?[0-9]/;

const HIDDEN = JSON.stringify(replacementOf('token'));

/** An open object or list. */
interface Frame {
  readonly isList: boolean;
  /** Whether the elements of the list are hidden. */
  isSecret: boolean;
  isEmpty: boolean;
}

export function hideSecretValues(json: string, onReplaced?: ReplaceListener): string {
  if (!HINT.test(json)) return json;
  const open: Frame[] = [];
  /** Whether the next value belongs to such a key. */
  let isSecret = false;
  let out = '';
  let copied = 0;
  for (const { 0: part, index } of json.matchAll(PART)) {
    const top = open.at(-1);
    const hides = isSecret || top?.isSecret === true;
    if (part === '}' || part === ']') {
      open.pop();
      continue;
    }
    if (part === ',') continue;
    if (part[0] === '"' && top?.isList === false && !isSecret && isKey(json, index + part.length)) {
      isSecret = isSecretName(part.includes('\\') ? parseJsonString(part) : part.slice(1, -1));
      continue;
    }
    isSecret = false;
    if (part === '[') open.push({ isList: true, isSecret: hides, isEmpty: true });
    else if (part === '{') open.push({ isList: false, isSecret: false, isEmpty: true });
    else if (hides && (NUMBER.test(part) || (part[0] === '"' && part !== '""' && part !== HIDDEN))) {
      out += json.slice(copied, index) + HIDDEN;
      copied = index + part.length;
      onReplaced?.('token');
    }
    if (top?.isEmpty === true) {
      top.isEmpty = false;
      if (part === '{') top.isSecret = false;
    }
  }
  return copied === 0 ? json : out + json.slice(copied);
}

function isKey(json: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(json);
}
