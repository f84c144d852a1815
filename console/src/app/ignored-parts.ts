/** Parts of the address that a page does not read. */
import { nearestName } from '#contract/nearest-name';
import { CUT_STATE } from './packed-state';

/** What a page reads of its address. */
export interface ReadParts {
  /** By name: null for any value, the values it may have, or the reason why it is not read. */
  readonly names: Readonly<Record<string, readonly string[] | string | null>>;
  /** Names with this beginning are read, too. */
  readonly prefix?: string;
}

/** Parts that are described; an address may have thousands. */
const MAX_SHOWN = 5;
const MAX_SHOWN_CHARACTERS = 60;

/**
 * @param search query string, without its question mark
 * @returns a phrase for each ignored part. Values of unknown names are left out: one may be a token.
 */
export function ignoredParts(search: string, { names, prefix }: ReadParts): readonly string[] {
  const phrases = new Set<string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (prefix !== undefined && name.startsWith(prefix)) continue;
    if (phrases.size > MAX_SHOWN) break;
    if (!Object.hasOwn(names, name)) phrases.add(explainName(name, Object.keys(names)));
    else if (value !== '') addValue(phrases, `"${shorten(name)}=${shorten(value)}"`, names[name] ?? null, value);
  }
  const shown = [...phrases];
  return shown.length > MAX_SHOWN ? [...shown.slice(0, MAX_SHOWN), 'others'] : shown;
}

function addValue(phrases: Set<string>, part: string, allowed: readonly string[] | string | null, value: string): void {
  if (typeof allowed === 'string') phrases.add(`${part} (${allowed})`);
  else if (allowed?.includes(value) === false) phrases.add(`${part} (it can be ${allowed.join(', ')})`);
}

function explainName(name: string, known: readonly string[]): string {
  if (name === CUT_STATE) return 'its end (the address was cut)';
  const meant = known.find((each) => each === `p.${name}`) ?? nearestName(name, known);
  return `"${shorten(name)}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_SHOWN_CHARACTERS + 2)];
  return characters.length > MAX_SHOWN_CHARACTERS ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…` : text;
}
