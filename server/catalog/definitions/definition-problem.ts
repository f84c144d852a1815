/** Reason why a file cannot be served, with its position. */
export interface DefinitionProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
  /** Path of the field, where a caller knows fields and not the text. */
  readonly path?: readonly PropertyKey[];
}

export function formatProblem({ file, line, column, reason }: DefinitionProblem): string {
  return `${file}:${line}:${column}: ${reason}`;
}

/** All problems of all files: the server does not start with them. */
export class DefinitionsError extends Error {
  override readonly name = 'DefinitionsError';

  constructor(readonly problems: readonly DefinitionProblem[]) {
    super(problems.map(formatProblem).join('\n'));
  }
}
