/**
 * Credentials that show by their form: those of known makers, JSON web tokens, and what follows `Bearer` and `Basic`.
 * The words around a find stay. A store replaces them after values with a name, since their patterns take a name that
 * is glued to them.
 */
import type { Detector, Report } from '../detector';
import { BLANK } from '../escapes';
import { reportGroups } from './report-groups';
import { MAKER_SHAPES, SHAPE_STARTS, TOKEN_HINT, TOKEN_SHAPES, WEB_TOKEN } from './token-shapes';

/** A prefix begins a word, or comes right after an escape: `task-…` holds no `sk-…`. */
const START = '(?:(?<![0-9A-Za-z])|(?<=\\\\[bfnrt]|%[2-7][0-9A-Fa-f]))';
const SHAPES = new RegExp(`${START}(?:${MAKER_SHAPES})`, 'g');
/** A header without other parts is matched too: otherwise the search reads such a run again from each `eyJ` in it. */
const WEB_TOKENS = new RegExp(`${START}${WEB_TOKEN.header}(${WEB_TOKEN.otherParts})?`, 'g');

const SCHEME_HINT = `(?:[Bb]earer|BEARER|[Bb]asic|BASIC)(?:${BLANK}|\\+|%20)`;
const SCHEME = `${SCHEME_HINT}{1,4}`;
const CREDENTIAL = '[0-9A-Za-z._~+/-]';
const CREDENTIALS = new RegExp(`${SCHEME}(${CREDENTIAL}+=*)`, 'g');

export const token: Detector = {
  kind: 'token',
  seesThroughEscapes: false,
  find: findTokens,
  source: [
    // Before the shapes, which take a scheme that is glued to them. Shapes have `:` and `=` inside, too, and another
    // scheme may stand behind those.
    {
      before: SCHEME,
      secret: `(?:[0-9A-Za-z._~+/=:-]*${SCHEME})*(?:${CREDENTIAL}*(?:[0-9]|[a-z][A-Z])${CREDENTIAL}*|${CREDENTIAL}+=|${CREDENTIAL}{20,})(?:[:=]+${CREDENTIAL}*)*`,
      hint: SCHEME_HINT,
    },
    { secret: TOKEN_SHAPES, hint: SHAPE_STARTS },
  ],
};

function findTokens(text: string, report: Report): void {
  if (TOKEN_HINT.test(text)) {
    for (const { 0: found, index } of text.matchAll(SHAPES)) report(index, index + found.length);
    for (const { 0: found, 1: otherParts, index } of text.matchAll(WEB_TOKENS)) {
      if (otherParts !== undefined) report(index, index + found.length);
    }
  }
  reportGroups(text, CREDENTIALS, report, isCredential);
}

/** `Bearer of news` and `Basic authentication` are words. */
function isCredential(secret: string): boolean {
  return secret.length >= 8 && (/[0-9=]|[a-z][A-Z]/.test(secret) || secret.length >= 20);
}
