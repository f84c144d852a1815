/**
 * JSON text in, JSON text out: texts and numbers whose key is the name of a credential are replaced, in lists of them too. Records below such a
 * key are judged by the names of their own keys: `authorization.payload.role` is none. So is a list that begins with a record.
 */
import { replacementOf } from './detector';
import type { ReplaceListener } from './redact-text';
import { isSecretName, SECRET_NAME } from './secret-names';

/** Matches JSON text with such a key, or with a key that may be one behind escapes. */
const HINT = new RegExp(String.raw`(?:${SECRET_NAME}"\s*:|\\u00)`, 'i');
/** A string, a bracket, a comma, or a number or word. Each begins differently from the others and from what is left out: linear. */
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
  /** Whether the value that follows belongs to such a key. */
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
      isSecret = isSecretName(part.includes('\\') ? (JSON.parse(part) as string) : part.slice(1, -1));
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
