/** `lqe sources apply`: creates or replaces the sources of files. All are checked before the first is changed. */
import { readFileSync } from 'node:fs';
import { ServiceError } from '#contract/errors';
import { isRecord } from '#contract/records';
import { DefinitionsError } from '../../catalog/definitions/definition-problem';
import { parseSources } from '../../catalog/definitions/load-sources';
import { readYaml } from '../../catalog/definitions/yaml-file';
import { formatSource, readSource } from '../../catalog/sources/source-text';
import { toError } from '../../common/caught-error';
import { readStdin } from '../output/read-stdin';
import { printable } from '../output/terminal';
import type { ReadSource, SourcesContext } from './remote-sources';

interface LocalSource {
  readonly name: string;
  readonly yaml: string;
}

interface Step extends LocalSource {
  /** Null: it is created. */
  readonly present: ReadSource | null;
}

/** An id that no source has: the checks do not depend on it. */
const NO_ID = '00000000-0000-4000-8000-000000000000';
const DIFFERENT = 2;

export async function applySources(
  { remote, terminal }: SourcesContext,
  files: readonly string[],
  flags: { readonly message?: string; readonly dryRun?: boolean }
): Promise<number> {
  const found: LocalSource[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      found.push(...readSources(file, file === '-' ? await readStdin() : readFileSync(file)));
    } catch (error) {
      problems.push(...describe(file, error));
    }
  }
  const steps: Step[] = [];
  for (const source of found) {
    const present = await remote.read(source.name);
    if (present?.origin === 'file')
      problems.push(`${source.name}: is declared in a file of the server; change it there`);
    else if (present?.yaml !== source.yaml) steps.push({ ...source, present });
    else terminal.print(`${source.name} is unchanged.`);
  }
  if (problems.length > 0) {
    for (const problem of problems) terminal.warn(printable(problem));
    terminal.warn('Nothing was changed. Correct these problems and run the command again.');
    return 1;
  }
  for (const { name, yaml, present } of steps) {
    if (flags.dryRun) {
      terminal.print(present === null ? `${name} would be created.` : `${name} would be changed.`);
      continue;
    }
    const { revision } = await remote.store(name, yaml, present?.revision ?? null, flags.message);
    terminal.print(present === null ? `Created ${name}.` : `Changed ${name} (revision ${revision}).`);
  }
  return flags.dryRun && steps.length > 0 ? DIFFERENT : 0;
}

/** @throws DefinitionsError, ServiceError */
function readSources(file: string, bytes: Uint8Array): readonly LocalSource[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const { value } = readYaml(text);
  if (isRecord(value) && 'sources' in value) {
    // Checked whole for the positions; each is stored with the fields that it was given.
    parseSources(file, text);
    return (value['sources'] as readonly Record<string, unknown>[]).map((source) => ({
      name: String(source['name']),
      yaml: formatSource(source),
    }));
  }
  return [{ name: readSource(text, NO_ID).name, yaml: text }];
}

function describe(file: string, error: unknown): readonly string[] {
  if (error instanceof DefinitionsError)
    return error.problems.map(({ line, column, reason }) => `${file}:${line}:${column}: ${reason}`);
  if (error instanceof ServiceError) {
    const { line, column } = error.details.position ?? { line: 1, column: 1 };
    return [`${file}:${line}:${column}: ${error.message}`];
  }
  return [`${file}: ${toError(error).message}`];
}
