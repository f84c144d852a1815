/**
 * Questions of the growth benchmark in LogsQL, by their names there. Like `usage.api-counts`, counts end at the time of
 * the call.
 */
import { DAYS, PROJECT } from '../../support/settings';
import { isoBefore, QUIET_PROJECT } from '../../queries/growth/questions';

export interface LogsQlQuestion {
  /** Path and query string of the nth call. */
  readonly call: (n: number) => string;
}

const AREAS = ['rest', 'storage', 'auth', 'realtime'];

export function logsQlQuestions(word: string, endMicros: number): ReadonlyMap<string, LogsQlQuestion> {
  const start = isoBefore(endMicros, DAYS * 24);
  const usage = (project: string, step: string, hours: number, condition = ''): string => {
    const counts = AREAS.map((area) => `count() if (metadata.request.path:~"/${area}") as total_${area}_requests`);
    return query(`metadata.request.url:~"${project}"${condition} | stats by (_time:${step}) ${counts.join(', ')}`, {
      start: isoBefore(Date.now() * 1000, hours),
    });
  };
  const failed = `{project="${PROJECT}"} metadata.response.status_code:>=500`;
  const page = 'fields _time, _msg, id, metadata.*';
  return new Map<string, LogsQlQuestion>([
    ['usage, minutely', { call: () => usage(PROJECT, '1m', 1) }],
    ['usage, daily, first', { call: (n) => usage(PROJECT, '1d', DAYS * 24, ` -metadata.request.path:="/none/${n}"`) }],
    ['usage, daily, other pattern', { call: (n) => usage(PROJECT.slice(0, 19 - n), '1d', DAYS * 24) }],
    ['usage, daily, again', { call: () => usage(PROJECT, '1d', DAYS * 24) }],
    ['usage, daily, again, quiet project', { call: () => usage(QUIET_PROJECT, '1d', DAYS * 24) }],
    ['newest 100', { call: () => query(`{project="${PROJECT}"} | ${page}`, { start, limit: '100' }) }],
    [
      '100 of six hours, three days ago',
      {
        call: () =>
          query(`{project="${PROJECT}"} | ${page}`, {
            start: isoBefore(endMicros, 78),
            end: isoBefore(endMicros, 72),
            limit: '100',
          }),
      },
    ],
    [
      'failures by path',
      {
        call: () =>
          query(`${failed} | stats by (metadata.request.path) count() as failures | sort by (failures desc) limit 50`, {
            start,
          }),
      },
    ],
    ['newest 100 failed, with metadata', { call: () => query(`${failed} | ${page}`, { start, limit: '100' }) }],
    ['a rare word', { call: () => query(`{project="${PROJECT}"} "${word}"`, { start, limit: '100' }) }],
    [
      'a rare piece of a word',
      { call: () => query(`{project="${PROJECT}"} ~"${word.slice(2, -2)}"`, { start, limit: '100' }) },
    ],
  ]);
}

function query(text: string, parameters: Readonly<Record<string, string>>): string {
  return `/select/logsql/query?${new URLSearchParams({ query: text, ...parameters }).toString()}`;
}
