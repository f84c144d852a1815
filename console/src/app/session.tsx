/** Who uses the console: the token of the tab and what it may do. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import type { Scope } from '#contract/tokens/token';
import { ApiClient } from '../api/client';
import type { OwnToken } from '../api/shapes';
import { dropAllDrafts } from '../definition/drafts';
import { Failure } from '../parts/failure';
import { Waiting } from '../parts/waiting';
import { SignInPage } from '../pages/sign-in/sign-in-page';
import { forgetToken, isSendable, keepToken, keptToken, takeToken } from './token-store';
import { useLoaded } from './use-loaded';

export interface Session {
  readonly api: ApiClient;
  readonly token: string;
  readonly own: OwnToken;
  readonly may: (scope: Scope) => boolean;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session');
  return session;
}

export function useApi(): ApiClient {
  return useSession().api;
}

/** Shows `children` to a caller whose token the service knows, else the page that asks for one. */
export function WithSession({ children }: { readonly children: ReactNode }): ReactNode {
  const [token, setToken] = useState(takeToken);
  const [wasRefused, setRefused] = useState(false);

  // An address with a token can be opened in a tab that shows this page already: the browser loads nothing then.
  useEffect(() => {
    const take = (): void => {
      setRefused(false);
      setToken(takeToken());
    };
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);

  const signIn = (given: string): void => {
    keepToken(given);
    setRefused(false);
    setToken(given);
  };
  const changeToken = (): void => {
    forgetToken();
    setRefused(false);
    setToken(null);
  };
  const signOut = (): void => {
    dropAllDrafts();
    changeToken();
  };
  const refuse = (refused: string): void => {
    // A late answer to a token of before says nothing about the one that is used now.
    if (keptToken() !== refused) return;
    forgetToken();
    setRefused(true);
    setToken(null);
  };

  if (token === null || !isSendable(token))
    return <SignInPage wasRefused={wasRefused || token !== null} onToken={signIn} />;
  return (
    <SignedIn key={token} token={token} signOut={signOut} changeToken={changeToken} onRefused={() => refuse(token)}>
      {children}
    </SignedIn>
  );
}

interface SignedInProps {
  readonly token: string;
  readonly signOut: () => void;
  /** Asks for another token. Drafts stay. */
  readonly changeToken: () => void;
  readonly onRefused: () => void;
  readonly children: ReactNode;
}

function SignedIn({ token, signOut, changeToken, onRefused, children }: SignedInProps): ReactNode {
  // One client for a token: its callbacks reach the state setters, which never change.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const api = useMemo(() => new ApiClient(token, onRefused), [token]);
  const {
    value: own,
    problem,
    again,
  } = useLoaded('own token', (signal) => api.result<OwnToken>('/api/token', { signal }));
  const session = useMemo<Session | null>(
    () => own && { api, token, own, may: (scope) => own.scopes.includes(scope), signOut },
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [api, own]
  );
  if (session !== null) return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
  if (problem === null) return <Waiting what="Checking the token" />;
  return (
    <main className="sign-in">
      <Failure problem={problem} onRetry={again} />
      {/* No page has "Sign out" yet. */}
      <button type="button" onClick={changeToken}>
        Use another token
      </button>
    </main>
  );
}
