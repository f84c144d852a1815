/** For tokens that may call saved queries and not read them: a call by name. */
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { queryLink } from '../../app/links';
import { useSession } from '../../app/session';

/** @param known names that the token itself lists */
export function OpenByName({ known }: { readonly known: readonly string[] }): ReactNode {
  const { may } = useSession();
  const [name, setName] = useState('');
  const [, goTo] = useLocation();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') goTo(queryLink(name.trim()));
  };
  if (!may('query'))
    return (
      <>
        <h1>Saved queries</h1>
        <p>This token may neither list nor call saved queries (scopes endpoints:read and query).</p>
      </>
    );
  return (
    <>
      <h1>Saved queries</h1>
      <p>This token may call saved queries, but not list or describe them (scope endpoints:read).</p>
      {known.length > 0 && (
        <ul>
          {known.map((each) => (
            <li key={each}>
              <Link href={queryLink(each)}>{each}</Link>
            </li>
          ))}
        </ul>
      )}
      <form className="tools" onSubmit={submit}>
        <label>
          Name or id <input value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <button type="submit">Open</button>
      </form>
    </>
  );
}
