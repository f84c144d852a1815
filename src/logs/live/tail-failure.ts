import { LoadingState, type DataFrame, type DataQueryResponse } from '@grafana/data';
import { TAIL_FAILURE_FIELD } from '#contract/plugin/plugin';

/**
 * A tail that fails is an error of its query, with the lines that came before. The error ends once lines come again.
 */
export function withTailFailure(response: DataQueryResponse): DataQueryResponse {
  const failed = (response.data as DataFrame[]).find(isFailed);
  if (!failed) return response;
  const reason = failed.meta?.notices?.find(({ severity }) => severity === 'error')?.text ?? 'The live tail fails.';
  // Grafana 10 shows `error` only, and later versions read it still.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return { ...response, state: LoadingState.Error, error: { message: `${reason} The tail tries again.` } };
}

const isFailed = ({ fields }: DataFrame): boolean => fields.some(({ name }) => name === TAIL_FAILURE_FIELD);
