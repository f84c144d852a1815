/** Problems of a body, each with its path, for the details of `body_invalid`. */
import type { z } from 'zod';
import { didYouMean } from '#contract/nearest-name';
import { issueReason } from '../../common/issue-reason';
import { ServiceError } from '#contract/errors';

export interface BodyProblem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/** A body can have any number of them. */
const MAX_PROBLEMS = 20;
const SHOWN_CHARACTERS = 64;

/** @param known names of the fields, for "did you mean" */
export function problemsOf(error: z.ZodError, known: readonly string[]): readonly BodyProblem[] {
  return error.issues.flatMap((issue) => describeIssue(issue, known)).slice(0, MAX_PROBLEMS);
}

export function bodyInvalid(what: string, problems: readonly BodyProblem[]): ServiceError {
  const [first] = problems;
  const where = first === undefined || first.path.length === 0 ? '' : `${first.path.join('.')}: `;
  const end = first?.reason.endsWith('?') ? '' : '.';
  const reason = first === undefined ? '' : ` ${where}${first.reason}${end}`;
  return new ServiceError('body_invalid', `${what} is not valid.${reason}`, {
    problems: problems.slice(0, MAX_PROBLEMS),
  });
}

function describeIssue(issue: z.core.$ZodIssue, known: readonly string[]): BodyProblem[] {
  const path = issue.path.map(shown);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => ({
      path: [...path, String(shown(key))],
      reason: `unknown field${path.length === 0 ? didYouMean(key, known) : ''}`,
    }));
  if (issue.code === 'invalid_key') return [{ path, reason: 'is no name of a parameter' }];
  return [{ path, reason: issueReason(issue).slice(0, 200) }];
}

function shown(part: PropertyKey): string | number {
  return typeof part === 'number' ? part : String(part).slice(0, SHOWN_CHARACTERS);
}
