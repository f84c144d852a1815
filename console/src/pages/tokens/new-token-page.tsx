/** Creates an access token, and shows its text once. */
import { type ReactNode, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { randomKey } from '../../api/random-key';
import type { Problem } from '../../api/problem';
import type { DescribedIssue } from '../../api/shapes';
import { TOKENS, tokenLink } from '../../app/links';
import { useSession } from '../../app/session';
import { toProblem } from '../../app/use-loaded';
import { useTitle } from '../../app/use-title';
import { createToken } from './manage-tokens';
import { Secret } from './secret';
import { sayRights } from './scopes';
import { NEW_TOKEN, policyBody, type TokenFields } from './token-fields';
import { TokenForm } from './token-form';

export function NewTokenPage(): ReactNode {
  const { api, may } = useSession();
  useTitle('New token');
  const [, goTo] = useLocation();
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [issued, setIssued] = useState<DescribedIssue | null>(null);
  // The same for the same fields: when an answer is lost, the next try gets the same token.
  const request = useRef({ asked: '', key: '' });

  const create = async (fields: TokenFields): Promise<void> => {
    setRunning(true);
    setProblem(null);
    const policy = policyBody(fields);
    const asked = JSON.stringify([policy, fields.note]);
    if (request.current.asked !== asked) request.current = { asked, key: randomKey() };
    try {
      setIssued(await createToken(api, policy, fields.note, request.current.key));
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
          <p>{sayRights(issued.scopes)}</p>
        </>
      )}
    </>
  );
}
