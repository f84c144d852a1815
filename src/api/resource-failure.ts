import type { ResourceError } from '#contract/plugin/resources';
import { isRecord } from '#contract/records';

/** Extracts the error of a failed resource call from the value that Grafana's request layer threw. */
export function resourceFailure(thrown: unknown): ResourceError {
  const data = isRecord(thrown) && isRecord(thrown.data) ? thrown.data : undefined;
  if (data && isRecord(data.error) && typeof data.error.message === 'string')
    return data.error as unknown as ResourceError;
  const message = [data?.message, isRecord(thrown) ? (thrown.message ?? thrown.statusText) : undefined].find(
    (each): each is string => typeof each === 'string' && each !== ''
  );
  return { code: 'unknown', message: message ?? 'Grafana gave no reason.' };
}
