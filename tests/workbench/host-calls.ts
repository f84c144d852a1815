/** The rows of host-calls.md, and their tests: those whose titles begin with them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');

export interface HostCall {
  /** As in the table: `query`, `annotations.prepareAnnotation`, `name`. */
  readonly name: string;
  readonly isOurs: boolean;
}

export function hostCalls(): HostCall[] {
  const table = readFileSync(path.join(__dirname, 'host-calls.md'), 'utf8');
  return [...table.matchAll(/^\| `([^`]+)`\s*\| (yes|no)\s*\|/gm)].flatMap(([, names, ours]) =>
    names!.split(', ').map((name) => ({ name, isOurs: ours === 'yes' }))
  );
}

/** The names before the colon of every title, of the browser's tests and of those beside the sources. */
export function drivenRows(): ReadonlySet<string> {
  const files = ['tests/workbench', 'src'].flatMap((folder) =>
    (readdirSync(path.join(ROOT, folder), { recursive: true }) as string[]).map((file) => path.join(ROOT, folder, file))
  );
  const texts = files.filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(file, 'utf8'));
  const titles = texts.flatMap((text) => [
    ...text.matchAll(/\btest(?:\.each\([^`]*?\))?\(\s*'([\w.]+(?:, [\w.]+)*): /g),
  ]);
  return new Set(titles.flatMap(([, names]) => names!.split(', ')));
}
