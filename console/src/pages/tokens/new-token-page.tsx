/** Creates an access token, and shows its text once. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Problem } from '../../api/problem';
import type { DescribedIssue } from '../../api/shapes';
import { IgnoredPartsNote } from '../../app/ignored-parts-note';
import { TOKENS, tokenLink } from '../../app/links';
import { useSession } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { useRequestKey } from '../../app/use-request-key';
import { useTitle } from '../../app/use-title';
import { createToken } from './manage-tokens';
import { Secret } from './secret';
import { formatRights } from './scopes';
import { NEW_TOKEN, policyBody, type TokenFields } from './token-fields';
import { TokenForm } from './token-form';

export function NewTokenPage(): ReactNode {
  const { api, may } = useSession();
  useTitle('New token');
  const [, goTo] = useLocation();
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [issued, setIssued] = useState<DescribedIssue | null>(null);
  const { keyOf } = useRequestKey();

  const create = async (fields: TokenFields): Promise<void> => {
    setRunning(true);
    setProblem(null);
    const policy = policyBody(fields);
    try {
      setIssued(await createToken(api, policy, fields.note, keyOf([policy, fields.note])));
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setRunning(false);
    }
  };

  return (
    <>
      <h1>
        <Link href={TOKENS}>Tokens</Link> <span aria-hidden>/</span> New token
      </h1>
      <IgnoredPartsNote names={{}} />
      {!may('tokens:admin') && <p>This token may not manage access tokens (scope tokens:admin).</p>}
      {may('tokens:admin') && issued === null && (
        <TokenForm
          start={NEW_TOKEN}
          submit={{ label: isRunning ? 'Creating …' : 'Create the token', isRunning }}
          problem={problem}
          onSubmit={(fields) => void create(fields)}
        />
      )}
      {issued !== null && (
        <>
          <Secret name={issued.name} text={issued.token} onDone={() => goTo(tokenLink(issued.id))} />
          <p>{formatRights(issued.scopes)}</p>
        </>
      )}
    </>
  );
}
