/** Forms of files and pasted texts that hold events, found from their beginning. */

/**
 * `lines`: a JSON object in each line. `array`: a JSON array, or `{"batch": […]}`. `values`: JSON objects over several
 * lines. `text`: other lines, each of which becomes the message of an event. `binary`: no text in UTF-8.
 */
export type EventForm = 'lines' | 'array' | 'values' | 'text' | 'binary';

/** Bytes that tell the form. */
export const HEAD_BYTES = 64 * 1024;

const BATCH_START = /^\{\s*"batch"\s*:\s*\[/;

/** @param head the first bytes, inflated; an empty one is `lines` */
export function formOf(head: Uint8Array): EventForm {
  const text = decode(head);
  if (text === null) return 'binary';
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start === '') return 'lines';
  if (start.startsWith('[') || BATCH_START.test(start)) return 'array';
  if (!start.startsWith('{')) return 'text';
  const [line = ''] = start.split('\n', 1);
  // An object that goes on in the next line; a broken line alone has another end.
  return !isJson(line) && /[{[,]\s*$/.test(line) ? 'values' : 'lines';
}

/** @returns null when it is no text; a character that is cut off at the end is left out */
function decode(head: Uint8Array): string | null {
  if (head.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
