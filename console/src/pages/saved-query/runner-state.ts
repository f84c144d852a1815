/** What a person has entered on the page of a saved query, as it is in the address. */
import type { Language, RunRequest } from '../../api/run-query';

export interface RunnerState {
  readonly parameters: Readonly<Record<string, string>>;
  readonly language: Language;
  /** A query in the sandbox; empty: the saved query itself. */
  readonly text: string;
}

/** Parameters have a prefix, so that none of them can take the place of another part of the state. */
const PREFIX = 'p.';

export function readState(search: string): RunnerState {
  const entries = [...new URLSearchParams(search)];
  const lql = entries.find(([name]) => name === 'lql')?.[1];
  const sql = entries.find(([name]) => name === 'sql')?.[1];
  return {
    parameters: Object.fromEntries(
      entries.filter(([name]) => name.startsWith(PREFIX)).map(([name, value]) => [name.slice(PREFIX.length), value])
    ),
    language: lql === undefined ? 'sql' : 'lql',
    text: lql ?? sql ?? '',
  };
}

export function writeState({ parameters, language, text }: RunnerState): Readonly<Record<string, string>> {
  const named = Object.entries(parameters).map(([name, value]) => [`${PREFIX}${name}`, value] as const);
  return Object.fromEntries([...named, [language, text] as const]);
}

export function requestOf(query: string, { parameters, language, text }: RunnerState): RunRequest {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  const adhoc = text.trim() === '' ? null : { language, text };
  return { query, parameters: Object.fromEntries(given), adhoc };
}
