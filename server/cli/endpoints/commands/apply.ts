/** `lqe endpoints apply DIR`: makes the saved queries of a server equal to the files of a folder. */
import { type CommandContext, EXIT_CODES, type ExitCode, failWith } from '../command';
import { checkOnServer } from '../definition/check-on-server';
import { readFolder } from '../folder/read-folder';
import { carryOut } from '../plan/carry-out';
import { type Change, makePlan, type Plan, type Served } from '../plan/make-plan';
import { orderSteps, type Step } from '../plan/order-steps';
import { listed, printPlan } from '../plan/print-plan';
import { readServed } from '../remote/read-served';
import { confirm } from '../../output/terminal';

export interface ApplyFlags {
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly message?: string;
}

export async function apply(context: CommandContext, folder: string, flags: ApplyFlags): Promise<ExitCode> {
  const { remote, terminal } = context;
  const { locals, problems } = readFolder(folder);
  if (problems.length > 0) return failWith(problems, terminal);
  if (locals.length === 0)
    throw new Error(`${folder} has no YAML files. Nothing was changed; give the folder that lqe endpoints pull wrote.`);
  const served = await readServed(remote);
  const { plan, problems: conflicts } = makePlan(locals, served, flags.prune ?? false);
  if (conflicts.length > 0) return failWith(conflicts, terminal);
  if (served.elsewhere.length > 0)
    terminal.warn(`Managed in files of the server, not changed: ${listed(served.elsewhere.map(({ name }) => name))}.`);
  printPlan(plan, terminal);
  if (plan.changes.length === 0) return EXIT_CODES.done;
  const steps = orderOrThrow(plan, served);
  // Texts that the server has were checked when they were stored.
  const changed = plan.changes.flatMap((change) => (change.kind === 'delete' ? [] : [change.local]));
  const refused = await checkOnServer(remote, changed);
  if (refused.length > 0) return failWith(refused, terminal);
  if (flags.dryRun) return EXIT_CODES.different;
  if (!flags.yes && !(await confirm(terminal, `Make these ${plan.changes.length} changes?`)))
    throw new Error('Nothing was changed.');
  await carryOut(steps, remote, { terminal, message: flags.message });
  return EXIT_CODES.done;
}

function orderOrThrow({ changes }: Plan, { stored, elsewhere }: Served): readonly Step[] {
  const { steps, stuck } = orderSteps(changes, [...stored, ...elsewhere]);
  if (stuck.length === 0) return steps;
  const renamed = listed(stuck.map(nameOf));
  throw new Error(
    `Nothing was changed: there is no order for the changes of ${renamed}. Either their names are exchanged, or saved ` +
      'queries that stay take values of parameters from them. Apply them in two steps.'
  );
}

function nameOf(change: Change): string {
  return change.kind === 'delete' ? change.served.name : change.local.definition.name;
}
