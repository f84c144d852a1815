import { formatCodes, parseTimeFormat, type FormatElement } from '#compiler/time/time-format';

const elements = (format: string): readonly FormatElement[] => {
  const parsed = parseTimeFormat(format, 'FORMAT_TIMESTAMP');
  if ('unknown' in parsed) throw new Error(`unknown ${parsed.unknown}`);
  return parsed.elements;
};
const shape = (format: string): string =>
  elements(format)
    .map((element) => (element.kind === 'text' ? element.text : `{${element.code}}`))
    .join('');

test.each([
  ['%F', '{Y}-{m}-{d}'],
  ['%T', '{H}:{M}:{S}'],
  ['%Y%m', '{Y}{m}'],
  ["at %H o'clock", "at {H} o'clock"],
  ['100%%', '100%'],
  ['%E4Y %E*S %E3S %Ez', '{Y} {E*S} {E3S} {Ez}'],
  ['%n|%t', '\n|\t'],
  ['', ''],
])('the time format %j is read', (format, expected) => {
  expect(shape(format)).toBe(expected);
});

test.each([
  ['%q', '%q'],
  ['%Y %', '%'],
  ['%E', '%E'],
  ['%E9S', '%E9S'],
  ['%E5Y', '%E5Y'],
  ['%EH', '%EH'],
  ['%-Q', '%-Q'],
  ['%-', '%-'],
  ['%\n', '%\n'],
])('the time format %j has the unknown code %j', (format, unknown) => {
  expect(parseTimeFormat(format, 'FORMAT_TIMESTAMP')).toEqual({ unknown });
});

test('a DATE takes no codes of clock or zone, and a DATETIME none of a zone', () => {
  expect(formatCodes('FORMAT_DATE')).not.toEqual(expect.arrayContaining(['%H']));
  expect(formatCodes('FORMAT_DATE')).not.toEqual(expect.arrayContaining(['%T']));
  expect(formatCodes('FORMAT_DATETIME')).not.toEqual(expect.arrayContaining(['%Z']));
  expect(formatCodes('FORMAT_TIMESTAMP')).toEqual(expect.arrayContaining(['%H', '%T', '%Z', '%E*S']));
});
