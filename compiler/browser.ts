/**
 * Entry point for code that runs in a browser: readers of texts, without packages and without anything of Node. The
 * backend of the data source reads templates through it, too, so that both halves agree.
 */
export { printEquality as printLqlEquality } from './lql/encode/print-equality';
export { printSegment as printLqlName } from './lql/encode/print-path';
export { printTable as printLqlTable } from './lql/encode/print-text';
export { type LqlWord, readWords as readLqlWords } from './lql/parser/read-words';
export { CALLED_WITHOUT_PARENTHESES, RESERVED_WORDS } from './sql/reserved-words';
export { filterRows } from './template/filter-rows';
export { filterSql } from './template/filter-sql';
export { type JoinedStatements, joinStatements } from './template/join-statements';
export { isSetOperator, outermost } from './template/outermost';
export { printName, printText } from './template/print-text';
export { readSources, type TemplateSource } from './template/read-sources';
export type { TemplateToken } from './template/template-token';
export { tokenizeTemplate } from './template/tokenize-template';
export { leafOf, type RowFilter } from './template/value-condition';
