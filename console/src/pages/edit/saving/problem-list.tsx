/** What is wrong with a definition. */
import type { ReactNode } from 'react';
import type { DefinitionProblem } from '../../../api/changes';

export function ProblemList({ problems }: { readonly problems: readonly DefinitionProblem[] }): ReactNode {
  return (
    <ul className="problems">
      {problems.map((problem, at) => (
        <li key={at}>
          <span className="place">{formatPlace(problem)}</span> {problem.message}
        </li>
      ))}
    </ul>
  );
}

function formatPlace({ path, inQuery, inText }: DefinitionProblem): string {
  const position = inText ?? inQuery;
  const where = inText === null && path !== null ? path.map(String).join('.') : '';
  const line = position === null ? '' : `line ${position.line}, column ${position.column}`;
  return [where, line].filter((part) => part !== '').join(', ');
}
