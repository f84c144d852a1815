/** Configurations as docs/shippers.md prints them, so that the document is what is tested. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const DOCUMENT = path.resolve(__dirname, '..', '..', '..', 'docs', 'shippers.md');

/**
 * @param heading of a section, or of a part of one, without the signs before it
 * @param nth block below it, counted from 0; those of a section include those of its parts
 * @returns the text between the fences
 */
export function documentedBlock(heading: string, nth = 0): string {
  const text = readFileSync(DOCUMENT, 'utf8');
  const sections = [text.split(/^## /m), text.split(/^###? /m)].flat();
  const section = sections.find((each) => each.startsWith(`${heading}\n`));
  const blocks = [...(section ?? '').matchAll(/^```[a-z-]*\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
  const block = blocks[nth];
  if (block === undefined) throw new Error(`docs/shippers.md has no block ${nth} in the section "${heading}"`);
  return block;
}

/** Throws when a text to be replaced is not there: the document has changed, and the test must follow. */
export function substitute(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the documented configuration does not contain ${from}`);
    return result.replaceAll(from, to);
  }, text);
}

/** Address of the service in every documented configuration. */
export const DOCUMENTED_URL = 'http://127.0.0.1:8080';
