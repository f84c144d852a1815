/** The call of this page for other programs. The token is a variable in all of them. */
import type { ReactNode } from 'react';
import { callUrl } from '../../api/run-query';
import { CopyButton } from '../../parts/copy-button';
import { curlCall, javascriptCall, pythonCall } from './write-calls';
import { requestOf, type RunnerState } from './runner-state';

export function CallExamples({ name, state }: { readonly name: string; readonly state: RunnerState }): ReactNode {
  const request = requestOf(name, state);
  const examples = [
    { title: 'curl', text: curlCall(request) },
    { title: 'JavaScript', text: javascriptCall(request) },
    { title: 'Python', text: pythonCall(request) },
  ];
  return (
    <>
      <p>
        With the parameters of the tab “Run”. Put the token into the variable <code>LQE_TOKEN</code>; it is never part
        of an address.
      </p>
      <h2>Address</h2>
      <Example text={callUrl(request)} />
      {examples.map(({ title, text }) => (
        <section key={title}>
          <h2>{title}</h2>
          <Example text={text} />
        </section>
      ))}
    </>
  );
}

function Example({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="example">
      <pre className="text" tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
