/** Deletes a source, and its events where the request says so. Its revisions stay in the history. */
import { ServiceError } from '#contract/errors';
import { inTurn } from '../../management/change';
import { readMessageBody } from '../../management/definition-input';
import { readPrecondition } from '../../management/preconditions';
import { sourceChange } from '../../management/source-change';
import { knownParameters } from '../../request/known-parameters';
import type { KeyedHandler } from '../../router';
import { sendEmpty } from '../../response/send-body';

export const deleteSource: KeyedHandler = async (call) => {
  const { ctx, req, res, path } = call;
  const expected = readPrecondition(req);
  const dropsEvents = readDropsEvents(knownParameters({ req, res }, ['events']));
  const change = sourceChange(call, await readMessageBody(call));
  await inTurn(call, () => ctx.managedSources.remove(path.s, expected, change, dropsEvents));
  sendEmpty(res, 204);
};

/** @throws ServiceError `parameter_invalid` */
function readDropsEvents(given: ReadonlyMap<string, string>): boolean {
  const events = given.get('events') ?? 'keep';
  if (events === 'keep' || events === 'delete') return events === 'delete';
  throw new ServiceError('parameter_invalid', 'The parameter "events" must be "keep" or "delete".', {
    parameter: 'events',
  });
}
