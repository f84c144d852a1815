/** Pages about changes of saved queries, and the comparison of two changes of a source: one part, loaded together. */
export { HistoryPage } from '../history/history-page';
export { EditQueryPage } from './edit-query-page';
export { NewQueryPage } from './new-query-page';
export { SourceConflict } from './saving/source-conflict';
