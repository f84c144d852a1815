/** Sources that the store has not been opened with, or not in this form. */
import type { CallHandler } from '../../engine';

export const addSource: CallHandler<'addSource'> = async ({ store }, { request }) => {
  await store.addSource(request.source);
  return { value: {} };
};

export const prepareSource: CallHandler<'prepareSource'> = async ({ store }, { request }) => {
  await store.prepareSource?.(request.source, request.isStored);
  return { value: {} };
};

export const dropEvents: CallHandler<'dropEvents'> = async ({ store }, { request }) => ({
  value: { days: await store.dropEvents(request.source) },
});
