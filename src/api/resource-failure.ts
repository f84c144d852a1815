import type { ResourceError } from '#contract/plugin/resources';
import { isRecord } from '#contract/records';

/** Extracts the error of a failed resource call from the value that Grafana's request layer threw. */
export function resourceFailure(thrown: unknown): ResourceError {
  const data = isRecord(thrown) && isRecord(thrown.data) ? thrown.data : undefined;
  if (data && isResourceError(data.error)) return data.error;
  const message = [data?.message, isRecord(thrown) ? (thrown.message ?? thrown.statusText) : undefined].find(
    (each): each is string => typeof each === 'string' && each !== ''
  );
  return { code: 'unknown', message: message ?? 'Grafana gave no reason.' };
}

/** The backend writes the other members wherever it writes a message. */
function isResourceError(value: unknown): value is ResourceError {
  return isRecord(value) && typeof value.message === 'string';
}
