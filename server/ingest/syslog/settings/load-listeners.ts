/** Loads the file of listeners, and checks it against the sources that are served. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { didYouMean } from '#contract/nearest-name';
import type { Source } from '#contract/events/source';
import { DefinitionsError, type DefinitionProblem } from '../../../catalog/definitions/definition-problem';
import { readYaml, type YamlFile } from '../../../catalog/definitions/yaml-file';
import { type Listener, listenerSchema, listenersSchema } from './listener';
import { errorCode } from '../../../common/caught-error';
import { issueReason } from '../../../common/issue-reason';

const MAX_FILE_BYTES = 1024 * 1024;
const KNOWN_KEYS: readonly string[] = Object.keys(listenerSchema.shape);

/** @throws DefinitionsError with every problem of the file */
export function loadListeners(file: string, sources: readonly Source[]): readonly Listener[] {
  const yaml = readYaml(readText(file));
  const fail = (problems: readonly Problem[]): DefinitionsError =>
    new DefinitionsError(problems.map((problem) => placed(file, yaml, problem)));
  if (yaml.errors.length > 0)
    throw new DefinitionsError(yaml.errors.map(({ position, reason }) => ({ file, ...position, reason })));
  const parsed = listenersSchema.safeParse(yaml.value);
  if (!parsed.success) throw fail(parsed.error.issues.flatMap(problemsOf));
  const { listeners } = parsed.data;
  const problems = listeners.flatMap((_, index) => checkListener(listeners, index, sources));
  if (problems.length > 0) throw fail(problems);
  return listeners;
}

interface Problem {
  readonly path: readonly PropertyKey[];
  /** Set when the problem is a key of the mapping at `path`. */
  readonly key?: string;
  readonly reason: string;
}

function placed(file: string, yaml: YamlFile, { path, key, reason }: Problem): DefinitionProblem {
  return { file, ...(key === undefined ? yaml.positionOf(path) : yaml.positionOfKey(path, key)), reason };
}

function problemsOf(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ path, reason: `${path.join('.')}: ${issueReason(issue)}` }];
  return issue.keys.map((key) => ({ path, key, reason: `unknown key "${key}"${didYouMean(key, KNOWN_KEYS)}` }));
}

function checkListener(listeners: readonly Listener[], index: number, sources: readonly Source[]): readonly Problem[] {
  const listener = listeners[index]!;
  const at = (key: keyof Listener, reason: string): Problem => ({ path: ['listeners', index, key], reason });
  const isSecond = listeners.findIndex(({ name }) => name === listener.name) < index;
  const problems = isSecond ? [at('name', `the name "${listener.name}" is used twice`)] : [];
  for (const { key, reason } of sourceProblems(listener, sources)) problems.push(at(key, reason));
  for (const key of ['certificate', 'key', 'client_ca'] as const) {
    const file = listener[key];
    if (file !== null && !isReadable(file)) problems.push(at(key, `the file "${file}" cannot be read`));
  }
  return problems;
}

/** Why messages of a listener cannot be stored in its source. */
export function sourceProblems(
  listener: Pick<Listener, 'source' | 'tenant'>,
  sources: readonly Source[]
): readonly { readonly key: 'source' | 'tenant'; readonly reason: string }[] {
  const source = findSource(sources, listener.source);
  if (source === undefined) {
    const names = sources.flatMap(({ name, aliases }) => [name, ...aliases]);
    const reason = `there is no source "${listener.source}"${didYouMean(listener.source, names)}`;
    return [{ key: 'source', reason }];
  }
  if (source.tenant === null && listener.tenant !== null)
    return [{ key: 'tenant', reason: `events of "${source.name}" have no tenant` }];
  if (source.tenant !== null && listener.tenant === null && !source.tenant_optional)
    return [{ key: 'source', reason: `events of "${source.name}" need a tenant: set "tenant"` }];
  return [];
}

export function findSource(sources: readonly Source[], name: string): Source | undefined {
  return sources.find((source) => source.name === name || source.aliases.includes(name));
}

function isReadable(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

/** @throws DefinitionsError */
function readText(file: string): string {
  const fail = (reason: string): DefinitionsError => new DefinitionsError([{ file, line: 1, column: 1, reason }]);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw fail(`the file of syslog listeners cannot be read (${errorCode(error)})`);
  }
  if (bytes.length > MAX_FILE_BYTES) throw fail(`is longer than ${MAX_FILE_BYTES} bytes`);
  if (!isUtf8(bytes)) throw fail('is not valid UTF-8');
  return bytes.toString('utf8');
}
