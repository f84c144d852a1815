/** Asks for a token. */
import { type FormEvent, type ReactNode, useState } from 'react';

interface SignInProps {
  /** The service did not accept the token of this tab. */
  readonly wasRefused: boolean;
  readonly onToken: (token: string) => void;
}

export function SignInPage({ wasRefused, onToken }: SignInProps): ReactNode {
  const [text, setText] = useState('');

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const token = text.trim();
    if (token !== '') onToken(token);
  };

  return (
    <main className="sign-in">
      <h1>Log Query Endpoints</h1>
      <form onSubmit={submit}>
        <label htmlFor="token">Access token</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={text}
          aria-describedby="token-help"
          onChange={(event) => setText(event.target.value)}
        />
        {wasRefused && (
          <p className="failure" role="alert">
            The service does not accept this token. It may be mistyped, expired or revoked.
          </p>
        )}
        <button type="submit" className="main">
          Sign in
        </button>
        <p id="token-help">
          The token stays in this tab. <code>npm run quickstart</code> prints one. On the machine of the service,{' '}
          <code>npx lqe token create --name admin --scope all</code> creates one for all pages; without{' '}
          <code>--scope</code>, a token reads and queries only.
        </p>
      </form>
    </main>
  );
}
