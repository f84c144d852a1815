export type * from './expressions';
export type * from './node';
export type * from './pipes';
export type * from './queries';
export type * from './type-name';
