/** What is wrong with a value, as a phrase in the words of the service instead of those of the schema package. */
import type { z } from 'zod';

/** Messages that the package makes by itself; all others are those of our schemas. */
const MADE = /^(?:Invalid|Too small|Too big)/;

/** @returns a phrase that follows the path of the value: `must be at least 1` */
export function issueReason(issue: z.core.$ZodIssue): string {
  if (!MADE.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return typeReason(issue);
    case 'too_small':
      return sizeReason(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return sizeReason(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'regex' ? `must match the pattern ${issue.pattern ?? ''}` : `must be a ${issue.format}`;
    case 'invalid_key':
      return 'has a name that is not allowed';
    default:
      return 'has a form that is not allowed';
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function typeReason({ expected, message }: z.core.$ZodIssueInvalidType): string {
  const received = /received (\w+)$/.exec(message)?.[1] ?? '';
  if (received === 'undefined') return 'is missing';
  const found = expected === 'int' && received === 'number' ? undefined : received;
  const instead = found === undefined ? '' : `, not ${found === 'boolean' ? 'a boolean' : (TYPES[found] ?? found)}`;
  return `must be ${TYPES[expected] ?? expected}${instead}`;
}

const COUNTED: Readonly<Record<string, string>> = { string: 'character', array: 'item', record: 'name' };

function sizeReason(origin: string, limit: string, size: number | bigint): string {
  const noun = COUNTED[origin];
  if (noun === undefined) return `must be ${limit} ${size}`;
  return `must have ${limit} ${size} ${noun}${Number(size) === 1 ? '' : 's'}`;
}
