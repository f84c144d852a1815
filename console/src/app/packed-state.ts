/**
 * State in a fragment, packed where it would be too long: a character beyond ASCII takes nine in a query string, and
 * four in Base64 of UTF-8. Browsers lose addresses of more than one (Firefox) or two (Chrome) million characters.
 */
const MAX_PLAIN = 500_000;
/** Name of the state that a fragment has packed, and of a state that cannot be read. */
export const CUT_STATE = 'packed';
const PACKED = `${CUT_STATE}=`;
/** Arguments of one call. */
const CHUNK = 8_192;

/** @returns a query string, or a packed one */
export function packState(entries: ReadonlyArray<readonly [string, string]>): string {
  const plain = new URLSearchParams(entries.map((entry) => [...entry])).toString();
  if (plain.length <= MAX_PLAIN) return plain;
  const bytes = new TextEncoder().encode(JSON.stringify(entries));
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return PACKED + btoa(parts.join(''));
}

/** @returns the query string; `packed=` for one that cannot be read, as in an address that was cut */
export function unpackState(fragment: string): string {
  if (!fragment.startsWith(PACKED)) return fragment;
  if (last.fragment !== fragment) last = { fragment, search: unpack(fragment.slice(PACKED.length)) };
  return last.search;
}

/** React reads the address several times for each drawing. */
let last = { fragment: '', search: '' };

function unpack(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const state = new URLSearchParams(JSON.parse(new TextDecoder().decode(bytes)) as string[][]).toString();
    return state === '' ? PACKED : state;
  } catch {
    return PACKED;
  }
}
