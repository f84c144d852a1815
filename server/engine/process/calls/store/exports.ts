/** Lists the stored days, and exports rows of one, for a backup. */
import { ServiceError } from '#contract/errors';
import type { DayExports } from '../../../../stores/day-exports';
import type { CallHandler, Engine } from '../../engine';

export const listStored: CallHandler<'listStored'> = async (engine, { signal }) => ({
  value: await exportsOf(engine).list(signal),
});

export const exportRows: CallHandler<'exportRows'> = async (engine, { request, signal }) => ({
  value: await exportsOf(engine).write(request, signal),
});

function exportsOf({ store }: Engine): DayExports {
  if (store.exports) return store.exports;
  throw new ServiceError('backend_error', 'This store is not exported by the server.');
}
