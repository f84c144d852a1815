/** Recognizes calls by their request target alone, so that they reach their route without Express. */
import { ROUTES } from '#contract/routes/routes';

const PATTERN = ROUTES.find(({ id }) => id === 'call')!.path;
const PREFIX = PATTERN.slice(0, PATTERN.indexOf('{'));
/** Express parses targets with other characters in its own way. */
const PLAIN_TARGET = /^[!"$-~]+$/;

/** @returns the path of a call, which is the one that Express finds; null: a target for Express */
export function callPath(target: string): string | null {
  if (!target.startsWith(PREFIX) || !PLAIN_TARGET.test(target)) return null;
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}
