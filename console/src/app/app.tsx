/** The pages and their addresses. */
import { lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { SavedQueriesPage } from '../pages/saved-queries/saved-queries-page';
import { Waiting } from '../parts/waiting';
import { LeaveGuard } from './leave-guard';
import { AUDIT, NEW_QUERY, NEW_TOKEN_PAGE, QUERIES, SOURCES, STATUS, TOKENS } from './links';
import { Shell } from './shell';

const pages = () => import('../pages/pages');
const editPages = () => import('../pages/edit/pages');

const SavedQueryPage = lazy(async () => ({ default: (await pages()).SavedQueryPage }));
const TokensPage = lazy(async () => ({ default: (await pages()).TokensPage }));
const NewTokenPage = lazy(async () => ({ default: (await pages()).NewTokenPage }));
const TokenPage = lazy(async () => ({ default: (await pages()).TokenPage }));
const AuditPage = lazy(async () => ({ default: (await pages()).AuditPage }));
const SourcesPage = lazy(async () => ({ default: (await pages()).SourcesPage }));
const StatusPage = lazy(async () => ({ default: (await pages()).StatusPage }));
const EditQueryPage = lazy(async () => ({ default: (await editPages()).EditQueryPage }));
const NewQueryPage = lazy(async () => ({ default: (await editPages()).NewQueryPage }));
const HistoryPage = lazy(async () => ({ default: (await editPages()).HistoryPage }));

export function App(): ReactNode {
  return (
    <LeaveGuard>
      <Shell>
        <Suspense fallback={<Waiting what="Loading the page" />}>
          <Switch>
            <Route path={QUERIES} component={SavedQueriesPage} />
            <Route path={NEW_QUERY} component={NewQueryPage} />
            <Route path={`${QUERIES}/:name/edit`}>{({ name }) => <EditQueryPage key={name} name={name} />}</Route>
            <Route path={`${QUERIES}/:name/history`}>{({ name }) => <HistoryPage key={name} name={name} />}</Route>
            <Route path={`${QUERIES}/:name`}>{({ name }) => <SavedQueryPage key={name} name={name} />}</Route>
            <Route path={SOURCES} component={SourcesPage} />
            <Route path={STATUS} component={StatusPage} />
            <Route path={TOKENS} component={TokensPage} />
            <Route path={NEW_TOKEN_PAGE} component={NewTokenPage} />
            <Route path={`${TOKENS}/:id`}>{({ id }) => <TokenPage key={id} id={id} />}</Route>
            <Route path={AUDIT} component={AuditPage} />
            <Route path="/">
              <Redirect to={QUERIES} replace />
            </Route>
            <Route>
              <h1>There is no such page</h1>
              <p>
                The address is not one of the console. See the <a href={QUERIES}>saved queries</a>.
              </p>
            </Route>
          </Switch>
        </Suspense>
      </Shell>
    </LeaveGuard>
  );
}
