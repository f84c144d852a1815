/**
 * Patterns of named secrets for stores, without the lists of words and masks: caller's expressions see no value that
 * follows such a name.
 *
 * A store compiles them for each statement, and that takes time in their size. So pieces that are alternatives in a
 * value are items of one loop rather than a sequence of loops, and alternatives share what is before them.
 */
import { replacementOf, type SourcePattern } from '../detector';
import { BLANK, QUOTE_AFTER_NAME } from '../escapes';
import { quotedValue, quotePatterns, QUOTES, type Place } from '../quotes';
import { ASSIGNED, AUTHORIZATION, SECRET_NAME, SIGNATURE_SIGN } from '../secret-names';
import { BUT_EQUALS, CHARACTER, OF_COOKIE, OTHER_SCHEME, PARAMETER_NAME, SCHEME } from '../secret-values';

const HINT = `(?i:${SECRET_NAME}[\\\\"'%27t \\t]*(?:[:=]|%3)|${SIGNATURE_SIGN})`;
const NAME = `${SECRET_NAME}${ASSIGNED}`;
const HIDDEN = `"${replacementOf('token')}"`;

export function namedSecretPatterns(): readonly (SourcePattern | readonly SourcePattern[])[] {
  return [...ofKeys(), (['text', 'json'] as const).flatMap(ofTexts)];
}

/** Values of keys in JSON text. */
function ofKeys(): readonly (SourcePattern | readonly SourcePattern[])[] {
  const key = { where: 'json', before: `(?i:${SECRET_NAME}":)`, hint: HINT, isLarge: true } as const;
  const flatList = '\\[(?:"(?:[^"\\\\]|\\\\[^\\n])*"|[^"\\[\\]{}])+\\]';
  const values = ['-?[0-9][0-9.eE+-]*', `"${quotePatterns('"', 0, 'text').unit}+"`, flatList];
  return [
    values.map((secret) => ({ ...key, secret, replacement: HIDDEN })),
    // Another list that does not begin with a record: no JSON is left, so that nothing of the record is seen.
    { ...key, secret: '\\[[^{\\]]', replacement: '!' },
  ];
}

function ofTexts(where: Place): readonly SourcePattern[] {
  const any = (pattern: string): string => `(?i:${pattern})`;
  const given = { where, hint: HINT, isLarge: true } as const;
  const quoted = quotedValue(where);
  const inQuotes = QUOTES.map(({ quote, depth }) => {
    const { mark, unit } = quotePatterns(quote, depth, where);
    return { before: mark, secret: `${unit}+` };
  });
  const { header, otherHeader, cookies, special } = valuesIn(quoted);
  const short = `[0-9]${CHARACTER}{2,}|${CHARACTER}(?:[0-9]${CHARACTER}+|${CHARACTER}(?:${CHARACTER}{0,2}[0-9]${CHARACTER}*|${CHARACTER}{4,}))`;
  return [
    {
      ...given,
      before: any(`${AUTHORIZATION}${ASSIGNED}`),
      secret: [{ before: any(SCHEME), secret: any(header) }, { secret: any(otherHeader) }],
    },
    { ...given, before: any(NAME), secret: inQuotes },
    {
      ...given,
      before: any(`(?:${NAME}|${SIGNATURE_SIGN}${QUOTE_AFTER_NAME})`),
      // Behind other names than that of the header the scheme is part of the value: `token=Token+12`. If the value is
      // itself the name of a credential, it is hidden together with the value behind it: the final pass would skip such
      // a name as a word (`token=password: …`).
      secret: any(`(?:${NAME})*(?:${SCHEME}${header}|${cookies}|${special}|${short})`),
    },
  ];
}

interface Values {
  /** What follows a scheme: `name="x y", name=value` as far as that goes, or one value. */
  readonly header: string;
  /** Another scheme and parameters, the first of which is quoted. */
  readonly otherHeader: string;
  /** `name=value; name="x y"`. */
  readonly cookies: string;
  /** A value with a quoted value, the name of another credential or the name of a scheme in it. */
  readonly special: string;
}

/**
 * In each of these a name of a credential and a scheme extend the value by the blanks behind them, and a name or `=` by
 * a quoted value.
 */
function valuesIn(quoted: string): Values {
  const scheme = `(?:bearer|basic)${BLANK}{1,4}`;
  const parameter = `${PARAMETER_NAME}+=`;
  const value = `(?:${scheme}|(?:${NAME}|=)${quoted}?|${CHARACTER})`;
  const parameters = `(?:${scheme}|(?:[,;]${BLANK}{0,8}${parameter}|${NAME}|=)${quoted}?|${CHARACTER})*`;
  const cookies = `(?:${scheme}|(?:; ?${OF_COOKIE}+=|${NAME}|=)${quoted}?|${OF_COOKIE})*`;
  return {
    header: `(?:(?:${NAME}|${parameter})+(?:${quoted}|${BUT_EQUALS})${parameters}|${value}+)`,
    otherHeader: `${OTHER_SCHEME}${BLANK}{1,4}${parameter}${quoted}${parameters}`,
    cookies: `(?:${NAME}|${OF_COOKIE}+=)${quoted}?${cookies}`,
    special: `(?:${CHARACTER}*(?:${scheme}|(?:${NAME}|=)${quoted}|${NAME}))+${CHARACTER}*`,
  };
}
