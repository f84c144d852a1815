/** One access token: its rights, and their change; rotation and revocation. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Problem } from '../../api/problem';
import { randomKey } from '../../api/random-key';
import type { DescribedIssue, DescribedToken } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { auditLink, TOKENS } from '../../app/links';
import { useSession } from '../../app/session';
import { toProblem, useLoaded } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { Dialog } from '../../parts/dialog';
import { type Fact, FactsList } from '../../parts/facts-list';
import { Failure } from '../../parts/failure';
import { formatMoment, formatTimeOr } from '../../parts/format-change';
import { Waiting } from '../../parts/waiting';
import { changeToken, readToken, revokeToken, rotateToken } from './manage-tokens';
import { Secret } from './secret';
import { formatRights } from './scopes';
import { fieldsOfToken, isTextOf, policyPatch, type TokenFields } from './token-fields';
import { TokenForm } from './token-form';

export function TokenPage({ id }: { readonly id: string }): ReactNode {
  const { api, may } = useSession();
  const { value: token, problem, again } = useLoaded(id, (signal) => readToken(api, id, signal));
  const [said, setSaid] = useState('');
  useTitle(token?.name ?? 'Token');
  const place = useRef<HTMLParagraphElement>(null);
  // The form and its buttons are those of the changed token: what had the focus is removed.
  useEffect(() => {
    if (said !== '') place.current?.focus();
  }, [said, token]);
  const onChanged = (what: string): void => {
    setSaid(what);
    again();
  };
  return (
    <>
      <h1>
        <Link href={TOKENS}>Tokens</Link> <span aria-hidden>/</span> {token?.name ?? id}
      </h1>
      <IgnoredPartsNote names={{}} />
      {!may('tokens:admin') && <p>This token may not manage access tokens (scope tokens:admin).</p>}
      {may('tokens:admin') && problem && <Failure problem={problem} onRetry={again} />}
      {token === null && problem === null && <Waiting what="Loading the token" />}
      <p role="status" ref={place} tabIndex={-1}>
        {said}
      </p>
      {token !== null && <Token token={token} onChanged={onChanged} />}
    </>
  );
}

interface TokenProps {
  readonly token: DescribedToken;
  /** @param said what happened */
  readonly onChanged: (said: string) => void;
}

function Token({ token, onChanged }: TokenProps): ReactNode {
  const { id, name, state, scopes, created_at, revoked_at, last_used_at, expires_at } = token;
  const [issued, setIssued] = useState<DescribedIssue | null>(null);
  const facts: readonly Fact[] = [
    ['Id', id],
    ['State', state],
    ['Created', formatMoment(created_at)],
    ['Valid until', formatTimeOr(expires_at, 'no end')],
    ['Revoked', formatTimeOr(revoked_at, '')],
    ['Last used', formatTimeOr(last_used_at, 'never')],
  ];
  if (issued !== null)
    return (
      <Secret
        name={name}
        text={issued.token}
        onDone={() => {
          setIssued(null);
          onChanged('The token has a new text.');
        }}
      />
    );
  return (
    <>
      <p>{formatRights(scopes)}</p>
      <FactsList facts={facts} />
      <p>
        <Link href={auditLink({ object: id })}>Its entries in the audit trail</Link>
      </p>
      {revoked_at === null && (
        <>
          <div className="tools">
            <Rotate token={token} onIssued={setIssued} />
            <Revoke token={token} onChanged={onChanged} />
          </div>
          <h2>Change it</h2>
          <p className="soft">Its text stays. A change counts from the next request on.</p>
          <Change key={JSON.stringify(token)} token={token} onChanged={onChanged} />
        </>
      )}
    </>
  );
}

function Change({ token, onChanged }: TokenProps): ReactNode {
  const { api } = useSession();
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const start = fieldsOfToken(token);

  const change = async (fields: TokenFields): Promise<void> => {
    setRunning(true);
    setProblem(null);
    try {
      await changeToken(api, token.id, policyPatch(start, fields), fields.note);
      onChanged('The changes are saved.');
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setRunning(false);
    }
  };

  return (
    <TokenForm
      start={start}
      submit={{ label: isRunning ? 'Saving …' : 'Save the changes', isRunning }}
      problem={problem}
      onSubmit={(fields) => void change(fields)}
    />
  );
}

/** Revoking the token of this tab ends its session. */
function OwnTokenWarning({ id }: { readonly id: string }): ReactNode {
  const { token } = useSession();
  return isTextOf(token, id) && <p className="warning">You are signed in with this token, in this tab.</p>;
}

const GRACES = [
  { seconds: 0, label: 'ends at once' },
  { seconds: 600, label: 'stays valid for 10 minutes' },
  { seconds: 3600, label: 'stays valid for an hour' },
  { seconds: 86_400, label: 'stays valid for a day' },
] as const;

function Rotate({
  token,
  onIssued,
}: {
  readonly token: DescribedToken;
  readonly onIssued: (issued: DescribedIssue) => void;
}): ReactNode {
  const { api } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [grace, setGrace] = useState(3600);
  const [problem, setProblem] = useState<Problem | null>(null);
  const key = useRef(randomKey());

  const rotate = async (): Promise<void> => {
    setProblem(null);
    try {
      const issued = await rotateToken(api, token.id, grace, `${key.current}-${grace}`);
      setOpen(false);
      onIssued(issued);
    } catch (error) {
      setProblem(toProblem(error));
    }
  };

  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rotate: a new text
      </button>
      {isOpen && (
        <Dialog title={`Give “${token.name}” a new text?`} onClose={() => setOpen(false)}>
          <OwnTokenWarning id={token.id} />
          <p>Programs that use the old text need the new one.</p>
          <label>
            The old text{' '}
            <select value={grace} onChange={({ target }) => setGrace(Number(target.value))}>
              {GRACES.map(({ seconds, label }) => (
                <option key={seconds} value={seconds}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          {problem && <Failure problem={problem} />}
          <p className="actions">
            <button type="button" className="main" onClick={() => void rotate()}>
              Rotate
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

function Revoke({ token, onChanged }: TokenProps): ReactNode {
  const { api } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const revoke = async (): Promise<void> => {
    setProblem(null);
    try {
      await revokeToken(api, token.id);
      setOpen(false);
      onChanged('The token is revoked.');
    } catch (error) {
      setProblem(toProblem(error));
    }
  };

  return (
    <>
      <button type="button" className="bad" onClick={() => setOpen(true)}>
        Revoke
      </button>
      {isOpen && (
        <Dialog title={`Revoke “${token.name}”?`} onClose={() => setOpen(false)}>
          <OwnTokenWarning id={token.id} />
          <p>It is refused from now on, and cannot be brought back.</p>
          {problem && <Failure problem={problem} />}
          <p className="actions">
            <button type="button" className="bad" onClick={() => void revoke()}>
              Revoke the token
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}
