/** A reason why a file cannot be served, and the place in it. */
export interface DefinitionProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export function formatProblem({ file, line, column, reason }: DefinitionProblem): string {
  return `${file}:${line}:${column}: ${reason}`;
}

/** All problems of all files: the start is refused on them. */
export class DefinitionsError extends Error {
  override readonly name = 'DefinitionsError';

  constructor(readonly problems: readonly DefinitionProblem[]) {
    super(problems.map(formatProblem).join('\n'));
  }
}
