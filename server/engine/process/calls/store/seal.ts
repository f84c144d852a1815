/** Seals the next past day, and says how far sealing is. */
import { ServiceError } from '#contract/errors';
import type { CallHandler } from '../../engine';

export const seal: CallHandler<'seal'> = async ({ store }, { signal }) => {
  if (store.sealing === null) throw new ServiceError('backend_error', 'This store has no days to seal.');
  const sealed = await store.sealing.sealNext(signal);
  return { value: { sealed, state: store.sealing.state() } };
};

export const sealing: CallHandler<'sealing'> = ({ store }) => ({ value: store.sealing?.state() ?? null });
