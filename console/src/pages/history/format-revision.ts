/** What revisions did, in words. */
import type { Revision } from '../../api/shapes';

const ACTIONS: Readonly<Record<Revision['action'], string>> = {
  create: 'created',
  update: 'changed',
  restore: 'restored',
  delete: 'deleted',
};

export const formatAction = (action: Revision['action']): string => ACTIONS[action];
