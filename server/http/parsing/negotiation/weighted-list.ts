/**
 * Parses the list grammar that Accept and Accept-Encoding share [RFC 9110 section 12.4.2]: items with parameters and a
 * weight `q`.
 */

export interface WeightedItem {
  /** Value in lower case, without parameters. */
  readonly value: string;
  /** Parameters with names in lower case, without `q`. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly q: number;
}

/** Browsers send ten at most. */
const MAX_ITEMS = 100;

/** Skips malformed items, and those beyond the first hundred: these headers are hints. */
export function parseWeightedList(header: string): readonly WeightedItem[] {
  return splitOutsideQuotes(header, ',', MAX_ITEMS).flatMap((text) => {
    const [value, ...rest] = splitOutsideQuotes(text, ';').map((part) => part.trim());
    if (!value) return [];
    const parameters = new Map(rest.flatMap(parseParameter));
    const q = parseWeight(parameters.get('q'));
    parameters.delete('q');
    return q === null ? [] : [{ value: value.toLowerCase(), parameters, q }];
  });
}

/** Parses a Content-Type header: type in lower case, and its parameters. */
export function parseMediaType(header: string): Omit<WeightedItem, 'q'> {
  const [value = '', ...rest] = splitOutsideQuotes(header, ';').map((part) => part.trim());
  return { value: value.toLowerCase(), parameters: new Map(rest.flatMap(parseParameter)) };
}

function parseParameter(text: string): [string, string][] {
  const equals = text.indexOf('=');
  if (equals <= 0) return [];
  const raw = text.slice(equals + 1).trim();
  const value = raw.startsWith('"') ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw;
  return [[text.slice(0, equals).trim().toLowerCase(), value]];
}

function parseWeight(text: string | undefined): number | null {
  if (text === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : null;
}

/** @param maxParts what follows them is left out */
function splitOutsideQuotes(text: string, separator: string, maxParts = Infinity): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted && char === '\\') at += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, at));
      if (parts.length === maxParts) return parts;
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
