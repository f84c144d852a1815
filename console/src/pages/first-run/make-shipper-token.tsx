/** Makes a token that may send events and nothing else. Its text is shown once. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Problem } from '../../api/problem';
import { useSession } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { useRequestKey } from '../../app/use-request-key';
import { CopyButton } from '../../parts/copy-button';
import { Failure } from '../../parts/failure';
import { useFocus } from '../../parts/use-focus';
import { useShownSecret } from '../tokens/secret';

interface MadeToken {
  readonly name: string;
  readonly token: string;
}

interface MakeShipperTokenProps {
  /** Tenant of the events to send, as long as no other one is typed. */
  readonly given?: string;
}

export function MakeShipperToken({ given = '' }: MakeShipperTokenProps): ReactNode {
  const { own } = useSession();
  const [name, setName] = useState('shipper');
  const [typed, setTyped] = useState<string | null>(null);
  const tenant = typed ?? given;
  const { made, setMade, problem, isBusy, make } = useMakeToken();
  const id = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void make(name.trim(), tenant.trim());
  };

  if (made !== null) return <MadeTokenView made={made} onDone={() => setMade(null)} />;
  return (
    <form onSubmit={submit}>
      <div className="ingest-fields">
        <div className="field">
          <label htmlFor={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            value={name}
            required
            maxLength={100}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-tenant`}>Tenant</label>
          <input
            id={`${id}-tenant`}
            value={own.tenant ?? tenant}
            disabled={own.tenant !== null}
            spellCheck={false}
            aria-describedby={`${id}-help`}
            onChange={(event) => setTyped(event.target.value)}
          />
          <p id={`${id}-help`} className="soft">
            Optional: events of other tenants are then rejected.
          </p>
        </div>
      </div>
      <button type="submit" disabled={isBusy}>
        Create the token
      </button>
      {problem && <Failure problem={problem} />}
    </form>
  );
}

interface MadeTokenViewProps {
  readonly made: MadeToken;
  readonly onDone: () => void;
}

function MadeTokenView({ made, onDone }: MadeTokenViewProps): ReactNode {
  const place = useFocus<HTMLElement>();
  return (
    <section className="made-token" aria-label="New token" ref={place} tabIndex={-1}>
      <p role="status">
        The token <strong>{made.name}</strong> may send events and nothing else. Its text is not shown again:
      </p>
      <div className="example">
        <pre className="text" tabIndex={0} aria-label="Text of the token">
          {made.token}
        </pre>
        <div className="tools">
          <CopyButton text={made.token} />
          <button type="button" onClick={onDone}>
            Done
          </button>
        </div>
      </div>
    </section>
  );
}

interface Making {
  readonly made: MadeToken | null;
  readonly setMade: (made: MadeToken | null) => void;
  readonly problem: Problem | null;
  readonly isBusy: boolean;
  readonly make: (name: string, tenant: string) => Promise<void>;
}

function useMakeToken(): Making {
  const { api } = useSession();
  const [made, setMade] = useState<MadeToken | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { keyOf, forget } = useRequestKey();
  useShownSecret(made?.name ?? null);

  const make = async (name: string, tenant: string): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const body = { name, scopes: ['ingest'], ...(tenant !== '' && { tenant }) };
    try {
      const headers = { 'Idempotency-Key': keyOf(body) };
      setMade(await api.result<MadeToken>('/api/tokens', { method: 'POST', body, headers }));
      forget();
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { made, setMade, problem, isBusy, make };
}
