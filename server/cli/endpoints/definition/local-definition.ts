/** Definitions in files: read by the rules of the server, with every problem and its position. */
import { z } from 'zod';
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { LoadedDefinition } from '../../../catalog/definitions/load-definitions';
import { sentField } from '../../../catalog/revisions/yaml-text';
import { readDefinition } from '../../../catalog/saved-queries/definition-text';
import { RESERVED_NAMES } from '../../../catalog/saved-queries/rules';
import { printable } from '../../output/terminal';

export interface DefinitionFile {
  /** Path, for messages. */
  readonly file: string;
  readonly text: string;
}

export interface LocalDefinition extends DefinitionFile {
  readonly definition: SavedQuery;
  /** Id in the text, in lower case; null: the server makes one, or keeps the one it has. */
  readonly id: string | null;
  readonly loaded: LoadedDefinition;
}

export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** Takes the place of an id that the server has not made yet. */
const NO_ID = '00000000-0000-4000-8000-000000000000';

/** Maximum problems reported of one text. */
const MAX_PROBLEMS = 10;

/** @returns the definition, or its problems in the order of the text */
export function readLocal({ file, text }: DefinitionFile): LocalDefinition | readonly FileProblem[] {
  const id = sentField(text, 'id')?.toLowerCase() ?? null;
  try {
    const loaded = readDefinition(text, { id: id ?? NO_ID, revision: 1, created_at: undefined, updated_at: undefined });
    const { definition } = loaded;
    if (RESERVED_NAMES.includes(definition.name))
      return [problemAt(file, loaded.positionOfKey('name'), `the name "${definition.name}" is reserved`)];
    return { file, text, definition, id, loaded };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problems } = problemsSchema.parse(error.details);
    const shown = problems.slice(0, MAX_PROBLEMS).map(({ position, reason }) => problemAt(file, position, reason));
    const rest = problems.length - shown.length;
    return rest > 0
      ? [...shown, problemAt(file, problems[MAX_PROBLEMS]!.position, `and ${rest} more problems`)]
      : shown;
  }
}

const problemsSchema = z.object({
  problems: z.array(z.object({ position: z.object({ line: z.int(), column: z.int() }), reason: z.string() })),
});

export function isLocal(result: LocalDefinition | readonly FileProblem[]): result is LocalDefinition {
  return 'definition' in result;
}

export function problemAt(
  file: string,
  { line, column }: { readonly line: number; readonly column: number },
  reason: string
): FileProblem {
  return { file, line, column, reason };
}

export function formatFileProblem({ file, line, column, reason }: FileProblem): string {
  return printable(`${file}:${line}:${column}: ${reason}`);
}
