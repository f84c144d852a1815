/** The call of this page for other programs. The token is a variable in all of them. */
import { type ReactNode, useState } from 'react';
import { callUrl } from '../../../api/run-query';
import type { Problem } from '../../../api/problem';
import type { DescribedQuery } from '../../../api/shapes';
import { useSession } from '../../../app/session';
import { toProblem } from '../../../app/use-loaded';
import { CopyButton } from '../../../parts/copy-button';
import { Failure } from '../../../parts/failure';
import { saveBlob } from '../../../parts/save-blob';
import { ValueText } from '../../../results/values/value-text';
import { requestOf, type RunnerState } from '../run/runner-state';
import { curlCall, javascriptCall, pythonCall } from './write-calls';
import { grafanaDataSource, grafanaPanel } from './write-grafana';

interface CallExamplesProps {
  readonly name: string;
  /** Null: the token may not read it. */
  readonly query: DescribedQuery | null;
  readonly state: RunnerState;
}

export function CallExamples({ name, query, state }: CallExamplesProps): ReactNode {
  const request = requestOf(name, state);
  const panel = grafanaPanel(request, query?.id ?? null, query?.fields ?? null);
  return (
    <>
      <p>
        With the parameters of the tab “Run”. Put the token into the variable <code>LQE_TOKEN</code>; it is never part
        of an address.
      </p>
      <Example title="Address" text={callUrl(request)} />
      <Example title="curl" text={curlCall(request)} />
      <Example title="JavaScript" text={javascriptCall(request)} />
      <Example title="Python" text={pythonCall(request)} />
      <Example title="Grafana: data source" text={grafanaDataSource()} note={DATA_SOURCE_NOTE} />
      <Example title="Grafana: panel" text={panel} note={PANEL_NOTE} />
      {query !== null && <OpenApiDownload name={name} />}
    </>
  );
}

const DATA_SOURCE_NOTE = 'A file in provisioning/datasources. Grafana reads the variable from its own environment.';
const PANEL_NOTE = 'An entry of “panels” of a dashboard: Panel JSON under Inspect of a panel takes it, too.';

function Example(props: { readonly title: string; readonly text: string; readonly note?: string }): ReactNode {
  const { title, text, note } = props;
  return (
    <section>
      <h2>{title}</h2>
      {note !== undefined && <p className="soft">{note}</p>}
      <div className="example">
        <pre className="text" tabIndex={0} aria-label={title}>
          <ValueText text={text} />
        </pre>
        <CopyButton text={text} />
      </div>
    </section>
  );
}

function OpenApiDownload({ name }: { readonly name: string }): ReactNode {
  const { api } = useSession();
  const [problem, setProblem] = useState<Problem | null>(null);
  const download = async (): Promise<void> => {
    setProblem(null);
    try {
      const response = await api.send(`/api/openapi.json?query=${encodeURIComponent(name)}`);
      saveBlob(await response.blob(), `${name}.openapi.json`);
    } catch (error) {
      setProblem(toProblem(error));
    }
  };
  return (
    <section>
      <h2>OpenAPI</h2>
      <p className="soft">
        Parameters, rows and errors of this saved query, for generators of clients and tools of agents.
      </p>
      <button type="button" onClick={() => void download()}>
        Save the OpenAPI document
      </button>
      {problem && <Failure problem={problem} />}
    </section>
  );
}
