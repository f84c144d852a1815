/** Errors of ClickHouse by their codes: what a caller and a sender get, and what is tried again. */
import { ClickHouseError } from '@clickhouse/client';
import { ServiceError } from '#contract/errors';
import { isPassing, translateError, translateWriteError } from '#server/stores/clickhouse/connection/errors';

const raised = (code: string): ClickHouseError =>
  new ClickHouseError({ message: `Code: ${code}. DB::Exception: of secret_table`, code });

function described(error: Error): string {
  expect(error).toBeInstanceOf(ServiceError);
  const { code, details } = error as ServiceError;
  return `${code}/${details.reason ?? ''}`;
}

it.each<[string, string, string, string, boolean]>([
  ['memory', '241', 'resource_limit/memory', 'backend_unavailable/memory', true],
  ['memory of the machine', '173', 'resource_limit/memory', 'backend_unavailable/memory', true],
  ['rows of a profile', '158', 'resource_limit/result_size', 'backend_error/not_stored', false],
  ['a list that is too long', '128', 'resource_limit/list_too_long', 'backend_error/not_stored', false],
  ['a text that is no number', '72', 'query_invalid/bad_cast', 'backend_error/not_stored', false],
  ['time', '159', 'query_timeout/time', 'backend_unavailable/time', true],
  ['a person who killed it', '394', 'query_timeout/time', 'backend_unavailable/time', false],
  ['threads', '439', 'overloaded/busy', 'overloaded/busy', true],
  ['processors', '745', 'overloaded/busy', 'overloaded/busy', true],
  ['a quota', '201', 'overloaded/quota', 'overloaded/quota', false],
  ['parts', '252', 'concurrency_limited/ingest_pressure', 'concurrency_limited/ingest_pressure', true],
  ['a Keeper', '225', 'backend_unavailable/cluster_down', 'backend_unavailable/cluster_down', true],
  ['a name of a node', '198', 'backend_unavailable/cluster_down', 'backend_unavailable/cluster_down', true],
  ['a server that ends', '236', 'backend_unavailable/unreachable', 'backend_unavailable/unreachable', true],
  ['a bound of a setting', '452', 'backend_unavailable/settings', 'backend_unavailable/settings', false],
  ['a fault of its own', '49', 'backend_error/', 'backend_error/not_stored', false],
])('a query and a batch that fail for lack of %s tell the reason', (_, code, ofQuery, ofBatch, isRetried) => {
  expect(described(translateError(raised(code)))).toBe(ofQuery);
  expect(described(translateWriteError(raised(code)))).toBe(ofBatch);
  expect(isPassing(raised(code))).toBe(isRetried);
});

it('a refusal that is no error of ClickHouse stays as it is', () => {
  const refusal = new ServiceError('body_invalid', 'the body is empty', { reason: 'empty' });
  expect(translateWriteError(refusal)).toBe(refusal);
});
