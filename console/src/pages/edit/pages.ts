/** Pages about changes: histories, edits of saved queries, and the comparison of two changes of a source. */
export { QueryHistoryPage } from '../history/query-history-page';
export { SourceHistoryPage } from '../sources/source-history/source-history-page';
export { EditQueryPage } from './edit-query-page';
export { NewQueryPage } from './new-query-page';
export { SourceConflict } from './saving/source-conflict';
