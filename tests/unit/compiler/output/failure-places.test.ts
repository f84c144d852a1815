import { ServiceError } from '#contract/errors';
import { atItsPlace, type FailurePlace } from '#compiler/output/failure-places';
import { failurePlaceIn, runFailureIn } from '#compiler/output/run-failure';

const place = (name: string, column: number, ...reasons: readonly string[]): FailurePlace => {
  return { site: { name, line: 1, column }, reasons: new Set(reasons), operations: new Set() };
};
const places = [place('CAST', 8, 'bad_cast', 'out_of_range'), place('PARSE_DATE', 30), place('+', 50, 'out_of_range')];
const failed = (details: Record<string, unknown>): ServiceError =>
  new ServiceError('query_invalid', 'a value is wrong', details);

test('a failure that carries the number of its place gets the name and the position', () => {
  expect(atItsPlace(failed({ reason: 'bad_time', place: 1 }), places)).toMatchObject({
    message: 'PARSE_DATE: a value is wrong',
    details: { reason: 'bad_time', position: { line: 1, column: 30 } },
  });
});

test('a failure of the store gets a place where only one operation can fail so', () => {
  expect(atItsPlace(failed({ reason: 'bad_cast' }), places)).toMatchObject({
    message: 'CAST: a value is wrong',
    details: { position: { line: 1, column: 8 } },
  });
});

test('a failure of the store that two operations may have has none', () => {
  const error = failed({ reason: 'out_of_range' });
  expect(atItsPlace(error, places)).toBe(error);
});

test('a failure outside of the text of the caller has no place, and is not taken for one of the text', () => {
  const outside: FailurePlace = { site: null, reasons: new Set(['bad_cast']), operations: new Set() };
  const raised = atItsPlace(failed({ reason: 'bad_time', place: 3 }), [...places, outside]) as ServiceError;
  expect(raised.details).toEqual({ reason: 'bad_time' });
  const error = failed({ reason: 'bad_cast' });
  expect(atItsPlace(error, [...places, outside])).toBe(error);
});

test('the number of an unknown place is not shown', () => {
  const located = atItsPlace(failed({ reason: 'bad_time', place: 7 }), places) as ServiceError;
  expect(located.details).toEqual({ reason: 'bad_time' });
  expect(located.message).toBe('a value is wrong');
});

test('another error stays as it is', () => {
  const error = new TypeError('x');
  expect(atItsPlace(error, places)).toBe(error);
});

test('the text of a failure holds its name and perhaps the number of its place', () => {
  expect(runFailureIn('Invalid Input Error: log-query: bad_time 12')).toBe('bad_time');
  expect(failurePlaceIn('Invalid Input Error: log-query: bad_time 12')).toBe(12);
  expect(failurePlaceIn('Invalid Input Error: log-query: bad_time')).toBeUndefined();
  expect(runFailureIn('log-query: bad_time 12 of the rest')).toBeUndefined();
});
