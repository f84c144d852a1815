/** Parts of the address that a page does not read. */
import type { Parameter } from '#contract/queries/saved-query';
import { readParts, readState } from '../pages/saved-query/run/runner-state';
import { ignoredParts } from './ignored-parts';

const parameter = (name: string, type: Parameter['type'] = 'text') => ({ name, type, required: false }) as Parameter;
const PROJECT = parameter('project');
const SINCE = parameter('since', 'timestamp');
const ignored = (search: string, declared: readonly Parameter[] | null = [PROJECT, SINCE]): readonly string[] =>
  ignoredParts(search, readParts(readState(search), declared));

test.each<[string, readonly string[]]>([
  ['', []],
  ['p.project=a&last=7d&sql=select+1&view=call&show=table', []],
  ['lql=f:edge_logs&p.since=2026-01-01', []],
  ['last=&view=&p.project=', []],
  ['last=30d', ['"last=30d" (it can be 15m, 1h, 24h, 7d)']],
  ['view=tail&show=lines', ['"view=tail" (it can be run, definition, call)', '"show=lines" (it can be table)']],
  ['project=a', ['"project" (did you mean "p.project"?)']],
  ['p.porject=a', ['"p.porject" (did you mean "p.project"?)']],
  ['Last=7d', ['"Last" (did you mean "last"?)']],
  ['utm_source=mail', ['"utm_source"']],
  ['sql=select+1&lql=f:edge_logs', ['"sql=select 1" (the page has an LQL text)']],
  ['packed=', ['its end (the address was cut)']],
])('%j', (search, phrases) => expect(ignored(search)).toEqual(phrases));

test('a span is ignored for a saved query without a time range', () =>
  expect(ignored('last=7d', [PROJECT])).toEqual(['"last=7d" (the saved query has no time range)']));

test('parameters of a saved query that the token may not read are taken as they are', () =>
  expect(ignored('p.porject=a&last=7d&last=8d&x=1', null)).toEqual(['"last=8d" (it can be 15m, 1h, 24h, 7d)', '"x"']));

test('the value of an unknown name, which may be a token, is not shown', () =>
  expect(ignored('tokn=lqe_secret').join('')).not.toContain('secret'));

test('a hostile address is described in a few words', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => `${'n'.repeat(200)}${at}=1`).join('&');
  expect(ignored(many).join('').length).toBeLessThan(1000);
  expect(ignored(`${'😀'.repeat(100_000)}=1`)).toEqual([`"${'😀'.repeat(60)}…"`]);
});
