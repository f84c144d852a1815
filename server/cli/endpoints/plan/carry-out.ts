/** Makes the changes of a plan, one after the other, and says how far it is. */
import { patchDefinition } from '../../../catalog/saved-queries/definition-text';
import type { RemoteQueries } from '../remote/remote-queries';
import { isConflict, isOutcomeUnknown } from '../remote/remote-queries';
import { ManagementError } from '../../remote/management-client';
import { printable, type Terminal } from '../../output/terminal';
import { type Change } from './make-plan';
import { keyOf, type Step } from './order-steps';

interface Present {
  readonly id: string;
  readonly revision: number;
}

/** @throws Error with what was done before, when the server refuses a change */
export async function carryOut(
  steps: readonly Step[],
  remote: RemoteQueries,
  { terminal, message }: { readonly terminal: Terminal; readonly message: string | undefined }
): Promise<void> {
  const present = new Map<string, Present>();
  for (const [index, step] of steps.entries()) {
    const change = step.kind === 'detach' ? step.change : step;
    try {
      const revision = await makeChange(step, present.get(keyOf(change)) ?? presentOf(change), remote, message);
      if (revision) present.set(keyOf(change), revision);
    } catch (error) {
      throw stopped(error, change, index, steps.length);
    }
    terminal.print(`[${index + 1}/${steps.length}] ${describe(step)}`);
  }
}

function presentOf(change: Change): Present | null {
  return change.kind === 'create' ? null : change.served;
}

async function makeChange(
  step: Step,
  present: Present | null,
  remote: RemoteQueries,
  message: string | undefined
): Promise<Present | null> {
  if (step.kind === 'delete') {
    await remote.remove(present!.id, present!.revision, message);
    return null;
  }
  const text = step.kind === 'detach' ? detachedText(step) : step.local.text;
  return present ? remote.replace(present.id, present.revision, text, message) : remote.create(text, message);
}

function detachedText({ change, text }: Extract<Step, { kind: 'detach' }>): string {
  const isOfFile = change.kind === 'create' || (change.kind === 'update' && text === 'file');
  const { parameters } = isOfFile ? change.local.definition : change.served;
  return patchDefinition(isOfFile ? change.local.text : change.served.text, {
    parameters: parameters.map((parameter) => ({ ...parameter, values: undefined })),
  });
}

function describe(step: Step): string {
  if (step.kind === 'create') return `+ ${step.local.definition.name}`;
  if (step.kind === 'delete') return `- ${printable(step.served.name)}`;
  if (step.kind === 'update') return `~ ${step.local.definition.name}`;
  return `~ ${nameOf(step.change)} (without lists of values, for the changes that follow)`;
}

function nameOf(change: Change): string {
  return change.kind === 'create' ? change.local.definition.name : printable(change.served.name);
}

function stopped(error: unknown, change: Change, done: number, all: number): unknown {
  if (!(error instanceof ManagementError)) return error;
  const conflict = isConflict(error) ? '\nThis is a change that was made after the plan. Run the command again.' : '';
  return new Error(`${nameOf(change)}: ${error.message}${conflict}\n${progressAt(error, done, all)}`, { cause: error });
}

function progressAt(error: ManagementError, done: number, all: number): string {
  if (isOutcomeUnknown(error))
    return `This change may have been made; ${done} of ${all} were made before it. Run the command again for the rest.`;
  return done === 0 ? 'Nothing was changed.' : `${done} of ${all} changes were made; run it again for the rest.`;
}
