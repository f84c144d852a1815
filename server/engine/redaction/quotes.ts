/**
 * Quoted values in texts, in JSON inside texts and in JSON text, as patterns that JavaScript and RE2 interpret alike.
 */
import { keysOf } from '#contract/records';

/**
 * How many backslashes stand before the quotes of a text: JSON in a text has none, JSON in JSON in a text one, one
 * level deeper three.
 */
const DEPTHS = { '"': [0, 1, 3], "'": [0, 1] } as const;
type Quote = keyof typeof DEPTHS;

/** Whether a pattern applies to texts, or to JSON text that contains them. */
export type Place = 'text' | 'json';

export interface QuotePatterns {
  /** The quote with its backslashes, which opens and closes the value. */
  readonly mark: string;
  /** One character of the value, not a closing mark. */
  readonly unit: string;
  /** One character of the value that no text has behind a closing mark. */
  readonly firstUnit: string;
}

/** Each quote of `DEPTHS`. */
export const QUOTES: readonly { readonly quote: Quote; readonly depth: number }[] = keysOf(DEPTHS).flatMap((quote) =>
  DEPTHS[quote].map((depth) => ({ quote, depth }))
);

/** Characters that follow a closing mark in JSON, programs, headers and prose, as the inside of a character class. */
const BEHIND_CLOSING = '\\s,;:)}\\]>';

/**
 * In a run of backslashes, each `2 * (depth + 1)` are one backslash of the quoted text; the rest of the run tells a
 * quote in the text from the quote that ends it. Each text matches in one way only: linear. In JSON text backslashes
 * are two each, a quotation mark has one more, and one without any ends the text.
 */
export function quotePatterns(quote: Quote, depth: number, place: Place): QuotePatterns {
  if (place === 'json' && quote === '"') return patterns({ quote, depth: 2 * depth + 1 });
  if (place === 'text') return patterns({ quote, depth });
  const inner = `\\\\(?:\\\\\\\\){0,${2 * depth + 1}}"`;
  return patterns({ quote, depth: 2 * depth + 1, markDepth: 2 * depth, other: '"', inner });
}

function patterns(given: {
  readonly quote: Quote;
  readonly depth: number;
  readonly markDepth?: number;
  /** Another quote that is no plain character. */
  readonly other?: string;
  /** `other` as part of the value. */
  readonly inner?: string;
}): QuotePatterns {
  const { quote, depth, markDepth = depth, other = '', inner } = given;
  const period = 2 * (depth + 1);
  const plain = `[^${quote}${other}\\\\]`;
  const escaped = [
    `\\\\{${period}}`,
    `\\\\{${period / 2},${period - 1}}${quote}`,
    ...(inner === undefined ? [] : [inner]),
  ].join('|');
  return {
    mark: `\\\\{${markDepth}}${quote}`,
    unit: `(?:\\\\{0,${period - 1}}${plain}|${escaped})`,
    firstUnit: `(?:[^${BEHIND_CLOSING}${quote}${other}\\\\]|\\\\{1,${period - 1}}${plain}|${escaped})`,
  };
}

/**
 * A value with its quotes, empty or not, or as much of it as the text has. A mark that closes what stands before it
 * does not start a value.
 */
export function quotedValue(place: Place): string {
  const each = QUOTES.map(({ quote, depth }) => {
    const { mark, unit, firstUnit } = quotePatterns(quote, depth, place);
    return `${mark}(?:${mark}|${firstUnit}${unit}*(?:${mark})?)`;
  });
  return `(?:${each.join('|')})`;
}
