/** Finds mistakes in a text without a run. A mistake is a result of this tool, not a failure of it. */
import { type ErrorBody, ServiceError } from '#contract/errors';
import { ensureScope } from '../../../catalog/tokens/principal';
import { hideTokenTexts } from '../../../catalog/tokens/secrets/token-text';
import { checkAdhocText } from '../../request/call/adhoc-text';
import { bindForCheck, inCheckLane, validateText } from '../../request/call/validate-text';
import { visibleEndpoint } from '../../request/visible-endpoint';
import { ignoredNotes } from '../../response/ignored-parameters';
import { type Arguments, parameterEntries, readArguments, readText } from '../arguments';
import type { ToolAnswer, ToolCall } from '../tool-call';
import { textShape } from './query-logs';

export async function checkQuery(call: ToolCall, given: Arguments): Promise<ToolAnswer> {
  const { ctx, principal, signal } = call;
  ensureScope(principal, 'adhoc');
  const { endpoint, parameters, ...text } = readArguments(textShape, given);
  const definition = visibleEndpoint(ctx, principal, endpoint);
  const adhoc = checkAdhocText(readText(text), definition, ctx.config.http);
  const { values, ignored } = bindForCheck(call, definition, parameterEntries(parameters));
  const noted = ignoredNotes(ignored);
  const notes = noted.length > 0 ? { notes: noted } : {};
  try {
    const result = await inCheckLane(call, signal, () => validateText(call, definition, { adhoc, values }));
    const { fields, sql, warnings } = result;
    const found = {
      valid: true,
      columns: fields,
      ...(sql !== undefined && { sql }),
      ...(warnings && { warnings }),
      ...notes,
    };
    return { text: JSON.stringify(found), structured: found };
  } catch (error) {
    if (!(error instanceof ServiceError) || !isOfText(error)) throw error;
    const body: ErrorBody = { ...error.toBody(), message: error.sentence };
    const shown = hideTokenTexts(JSON.stringify({ valid: false, error: body, ...notes }));
    return { text: shown, structured: JSON.parse(shown) as Record<string, unknown> };
  }
}

/** Whether the text is wrong, not the call or the service. */
function isOfText({ status, details }: ServiceError): boolean {
  return status === 400 && details['position'] !== undefined;
}
