/** Checks a definition while a person types, by the service. */
import { useEffect, useState } from 'react';
import { checkDefinition, type Checked } from '../../../api/changes';
import type { Problem } from '../../../api/problem';
import { useSession } from '../../../app/session';
import { toProblem } from '../../../app/use-loaded';
import { hasManyTokens, readText } from '../../../definition/definition-text';
import { withName } from '../../../definition/read-fields';

export type View = 'form' | 'yaml';

export interface Check {
  /** Null: not checked yet, or not to be checked with this token. */
  readonly outcome: Checked | null;
  /** Why the service could not say. */
  readonly failure: Problem | null;
  readonly isRunning: boolean;
}

/** A text is checked after this pause in typing. */
const PAUSE_MS = 400;
/** The service checks no text with more words and signs, and takes no longer body; it checks the fields then. */
const MAX_CHECKED_TOKENS = 2000;
const MAX_CHARACTERS = 200_000;

/** The outcome of one check. */
interface Done extends Omit<Check, 'isRunning'> {
  readonly of: string;
}

/**
 * @param view what problems are for: the form has fields, the text has positions
 * @param mayLackName an empty name is no problem of the form yet
 */
export function useCheck(text: string, view: View, mayLackName: boolean): Check {
  const { api, may } = useSession();
  const [done, setDone] = useState<Done>({ of: '', outcome: null, failure: null });
  const canCheck = may('endpoints:read');
  const wanted = `${view} ${String(mayLackName)} ${text}`;

  useEffect(() => {
    if (!canCheck) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const run = async (): Promise<void> => {
      const given = toCheck(text, view, mayLackName);
      try {
        const outcome = 'problem' in given ? refused(given.problem) : await checkDefinition(api, given, signal);
        if (!signal.aborted) setDone({ of: wanted, outcome, failure: null });
      } catch (error) {
        if (!signal.aborted) setDone({ of: wanted, outcome: null, failure: toProblem(error) });
      }
    };
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [api, canCheck, mayLackName, text, view, wanted]);
  return { outcome: done.outcome, failure: done.failure, isRunning: canCheck && done.of !== wanted };
}

function toCheck(
  text: string,
  view: View,
  mayLackName: boolean
): { yaml: string } | { definition: object } | { problem: string } {
  const { fields, problem } = readText(text);
  const isLong = text.length <= MAX_CHARACTERS && hasManyTokens(text, MAX_CHECKED_TOKENS);
  if (fields !== null && (view === 'form' || isLong)) return { definition: mayLackName ? withName(fields) : fields };
  // The service would refuse the body as a whole.
  return problem !== null && (isLong || text.length > MAX_CHARACTERS) ? { problem } : { yaml: text };
}

function refused(message: string): Checked {
  return { problems: [{ message, path: null, inQuery: null, inText: null }], result: null };
}
