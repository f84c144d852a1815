/** The pages and their addresses. */
import type { ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { SavedQueriesPage } from '../pages/saved-queries/saved-queries-page';
import { Waiting } from '../parts/waiting';
import { LazyPart, lazyComponent } from './lazy-part';
import { LeaveGuard } from './leave-guard';
import { AUDIT, NEW_QUERY, NEW_SOURCE, NEW_TOKEN_PAGE, QUERIES, SOURCES, STATUS, TOKENS } from './links';
import { Shell } from './shell';

const pages = () => import('../pages/pages');
const editPages = () => import('../pages/edit/pages');

const SavedQueryPage = lazyComponent(async () => (await pages()).SavedQueryPage);
const TokensPage = lazyComponent(async () => (await pages()).TokensPage);
const NewTokenPage = lazyComponent(async () => (await pages()).NewTokenPage);
const TokenPage = lazyComponent(async () => (await pages()).TokenPage);
const AuditPage = lazyComponent(async () => (await pages()).AuditPage);
const SourcesPage = lazyComponent(async () => (await pages()).SourcesPage);
const NewSourcePage = lazyComponent(async () => (await pages()).NewSourcePage);
const EditSourcePage = lazyComponent(async () => (await pages()).EditSourcePage);
const SourcePage = lazyComponent(async () => (await pages()).SourcePage);
const StatusPage = lazyComponent(async () => (await pages()).StatusPage);
const EditQueryPage = lazyComponent(async () => (await editPages()).EditQueryPage);
const NewQueryPage = lazyComponent(async () => (await editPages()).NewQueryPage);
const QueryHistoryPage = lazyComponent(async () => (await editPages()).QueryHistoryPage);
const SourceHistoryPage = lazyComponent(async () => (await editPages()).SourceHistoryPage);

export function App(): ReactNode {
  const [location] = useLocation();
  return (
    <LeaveGuard>
      <Shell>
        {/* A page that cannot be shown does not take the next one away. */}
        <LazyPart key={location} fallback={<Waiting what="Loading the page" />}>
          <Switch>
            <Route path={QUERIES} component={SavedQueriesPage} />
            <Route path={NEW_QUERY} component={NewQueryPage} />
            <Route path={`${QUERIES}/:name/edit`}>{({ name }) => <EditQueryPage key={name} name={name} />}</Route>
            <Route path={`${QUERIES}/:name/history`}>{({ name }) => <QueryHistoryPage key={name} name={name} />}</Route>
            <Route path={`${QUERIES}/:name`}>{({ name }) => <SavedQueryPage key={name} name={name} />}</Route>
            <Route path={SOURCES} component={SourcesPage} />
            <Route path={NEW_SOURCE} component={NewSourcePage} />
            <Route path={`${SOURCES}/:name/edit`}>{({ name }) => <EditSourcePage key={name} name={name} />}</Route>
            <Route path={`${SOURCES}/:name/history`}>
              {({ name }) => <SourceHistoryPage key={name} name={name} />}
            </Route>
            <Route path={`${SOURCES}/:name`}>{({ name }) => <SourcePage key={name} name={name} />}</Route>
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
        </LazyPart>
      </Shell>
    </LeaveGuard>
  );
}
