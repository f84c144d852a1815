/** Pages about changes of saved queries: one part of the console, loaded together. */
export { HistoryPage } from '../history/history-page';
export { EditQueryPage } from './edit-query-page';
export { NewQueryPage } from './new-query-page';
