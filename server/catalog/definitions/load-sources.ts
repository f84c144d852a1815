/** Loads the sources that `sources.yaml` declares: each is checked by itself and against the others. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { type Source, sourceSchema, sourcesSchema } from '#contract/events/source';
import { describeIssues, rulesOf, sharedNames, type SourceProblem } from './check-source';
import { type DefinitionProblem, DefinitionsError } from './definition-problem';
import { readYaml } from './yaml-file';
import { errorCode } from '../../common/caught-error';

const MAX_FILE_BYTES = 1024 * 1024;

const KNOWN_KEYS: readonly string[] = Object.keys(sourceSchema.shape);

/** @throws DefinitionsError with every problem of the file */
export function loadSources(file: string): readonly Source[] {
  return parseSources(file, readSourcesText(file));
}

/**
 * @param file name in problems
 * @param others sources of the API, which are served together with these
 * @throws DefinitionsError with every problem of the text
 */
export function parseSources(file: string, text: string, others: readonly Source[] = []): readonly Source[] {
  const problem = (place: { line: number; column: number }, reason: string): DefinitionProblem => ({
    file,
    ...place,
    reason,
  });
  const yaml = readYaml(text);
  if (yaml.errors.length > 0) throw new DefinitionsError(yaml.errors.map((e) => problem(e.position, e.reason)));
  const checked = checkSources(yaml.value, others);
  if ('sources' in checked) return checked.sources;
  throw new DefinitionsError(
    checked.problems.map(({ path, key, reason }) =>
      problem(key === undefined ? yaml.positionOf(path) : yaml.positionOfKey(path, key), reason)
    )
  );
}

/** Checks plain data: its schema, and rules beyond the schema. */
function checkSources(
  value: unknown,
  others: readonly Source[]
): { readonly sources: readonly Source[] } | { readonly problems: readonly SourceProblem[] } {
  const parsed = sourcesSchema.safeParse(value);
  if (!parsed.success)
    return { problems: describeIssues(parsed.error, ({ length }) => (length === 0 ? [] : KNOWN_KEYS)) };
  const { sources } = parsed.data;
  const at = (index: number, { path, ...problem }: SourceProblem): SourceProblem => ({
    ...problem,
    path: ['sources', index, ...path],
  });
  const problems = [
    ...sharedNames(others, sources).map(({ index, path, name, owner }) => {
      const of = others.some((other) => other.name === owner) ? ' of the API' : '';
      return at(index, { path, reason: `the name "${name}" is used by source "${owner}"${of} already` });
    }),
    ...sources.flatMap((source, index) => rulesOf(source).map((problem) => at(index, problem))),
  ];
  return problems.length > 0 ? { problems } : { sources };
}

/** @throws DefinitionsError */
export function readSourcesText(file: string): string {
  const fail = (reason: string): DefinitionsError => new DefinitionsError([{ file, line: 1, column: 1, reason }]);
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined) throw fail('the file of sources does not exist');
  if (!facts.isFile()) throw fail('is not a file');
  if (facts.size > MAX_FILE_BYTES) throw fail(`is longer than ${MAX_FILE_BYTES} bytes`);
  const bytes = readBytes(file, fail);
  if (!isUtf8(bytes)) throw fail('is not valid UTF-8');
  return bytes.toString('utf8');
}

function readBytes(file: string, fail: (reason: string) => DefinitionsError): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw fail(`cannot be read (${errorCode(error)})`);
  }
}
