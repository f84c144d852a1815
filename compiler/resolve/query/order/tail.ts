/** What follows the body of a query: its order and its limit. */
import type { QueryExpression } from '../../../ast';

export type Tail = Pick<QueryExpression, 'orderBy' | 'limit'>;

export const NO_TAIL: Tail = { orderBy: [], limit: null };
