/** Compares a response with the expectation of its recipe. */
import type { HostileAnswer } from './send-recipe';
import type { Recipe } from './recipe';

/** Refused events that an answer describes one by one; all of them are counted. */
const MAX_DESCRIBED_ERRORS = 1000;
const MAX_EVENTS = 100_000;

interface Counts {
  readonly accepted?: number;
  readonly rejected?: number;
  readonly errors?: readonly unknown[];
}

/** @returns what is wrong with it; an empty list when nothing is */
export function judgeAnswer({ route, expect }: Recipe, answer: HostileAnswer): readonly string[] {
  const text = answer.body.toString('utf8');
  if (!expect.status.includes(answer.status))
    return [
      `status ${answer.status} instead of ${expect.status.join(' or ')}: ${text.replace(/"request_id":"[^"]*"/, '').slice(0, 300)}`,
    ];
  const problems: string[] = [];
  if (answer.status === 200 && route === 'logs') problems.push(...judgeCounts(expect, countsOf(text)));
  if (answer.status >= 400 && expect.code !== undefined && !text.includes(expect.code))
    problems.push(`no code ${expect.code}: ${text.slice(0, 300)}`);
  if (answer.status === 413 && expect.says_max_events && !saysMaxEvents(route, text))
    problems.push(`no limit and number of events: ${text.slice(0, 300)}`);
  return problems;
}

function judgeCounts(expect: Recipe['expect'], { accepted, rejected, errors }: Counts): readonly string[] {
  const problems: string[] = [];
  if (expect.accepted !== undefined && accepted !== expect.accepted)
    problems.push(`accepted ${accepted} instead of ${expect.accepted}`);
  if (expect.rejected !== undefined && rejected !== expect.rejected)
    problems.push(`rejected ${rejected} instead of ${expect.rejected}`);
  if (errors === undefined || errors.length > MAX_DESCRIBED_ERRORS)
    problems.push(`${errors?.length ?? 'no list of'} refused events are described`);
  return problems;
}

function countsOf(text: string): Counts {
  return (JSON.parse(text) as { result: Counts }).result;
}

/** The answers of OTLP have no details: there the limit is in the message. */
function saysMaxEvents(route: Recipe['route'], text: string): boolean {
  if (route === 'otlp' || route === 'otlp-json') return text.replaceAll(',', '').includes(String(MAX_EVENTS));
  const { details } = (JSON.parse(text) as { error: { details: { max_events?: number; events?: number } } }).error;
  return details.max_events === MAX_EVENTS && Number(details.events) > MAX_EVENTS;
}
