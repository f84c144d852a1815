/**
 * The case files of tests/corpus/ingest: `input => expected`, with escapes for bytes that a text file does not show.
 */
import { corpusLines } from './corpus';

export interface IngestCase {
  readonly written: string;
  readonly input: Buffer;
  readonly expected: string;
}

export function ingestCases(file: string, decode: (text: string) => Buffer): readonly IngestCase[] {
  return corpusLines(`ingest/${file}`).map((line) => {
    const at = line.lastIndexOf(' => ');
    return { written: line, input: decode(line.slice(0, at)), expected: line.slice(at + 4) };
  });
}

/** `\xHH` is one byte. */
export function decodeBytes(text: string): Buffer {
  const parts = text.split(/\\x([0-9a-f]{2})/);
  return Buffer.concat(parts.map((part, i) => Buffer.from(part, i % 2 === 0 ? 'utf8' : 'hex')));
}

/** `\n`, `\r` and `\t` too. */
export function decodeLines(text: string): Buffer {
  return decodeBytes(text.replaceAll('\\n', '\n').replaceAll('\\r', '\r').replaceAll('\\t', '\t'));
}
