/**
 * `lqe endpoints list|show|create|edit|diff|history|restore|delete|pull|apply|import`: saved queries of a running
 * server, over its HTTP API.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../output/whole-number';
import { addServerOptions, type ServerFlags } from '../remote/server-options';
import { withServer } from './command';
import { apply, type ApplyFlags } from './commands/apply';
import { create } from './commands/create';
import { diff } from './commands/diff';
import { edit } from './commands/edit';
import { history, remove, restore } from './commands/history';
import { importQueries, type ImportFlags } from './commands/import';
import { list, show } from './commands/list';
import { pull } from './commands/pull';

const HELP = `
The server is that of --url or LQE_URL, the access token that of --token or LQE_TOKEN. Reading needs the scope
endpoints:read, changing endpoints:write.

Exit codes: 0 done, or nothing to do; 1 failed; 2 there are differences (diff, apply --dry-run), or some saved queries
were not imported (import).`;

/** Adds a command of this group, with the options that say which server it is for. */
type AddCommand = (name: string, description: string) => Command;

export function registerEndpoints(program: Command): void {
  const endpoints = program
    .command('endpoints')
    .description('saved queries of a running server: list, change, restore, keep in files')
    .addHelpText('after', HELP);
  const add: AddCommand = (name, description) => addServerOptions(endpoints.command(name).description(description));
  const addChange: AddCommand = (name, description) =>
    add(name, description).option('-m, --message <note>', 'a note for the history');
  registerCurrent(add, addChange);
  registerRevisions(add, addChange);
  registerFolders(add, addChange);
  registerImport(addChange);
}

/** Saved queries as they are now. */
function registerCurrent(add: AddCommand, addChange: AddCommand): void {
  add('list', 'list saved queries')
    .option('--json', 'print JSON')
    .action((flags: ServerFlags & { json?: boolean }) => withServer(flags, (context) => list(context, flags)));

  add('show', 'print a saved query as YAML, as it is stored')
    .argument('<name>', 'id or name')
    .option('--revision <number>', 'an earlier revision', wholeNumber)
    .option('--json', 'print JSON')
    .action((name: string, flags: ServerFlags & { revision?: number; json?: boolean }) =>
      withServer(flags, (context) => show(context, name, flags))
    );

  addChange('create', 'create saved queries; all files are checked first')
    .argument('<files...>', 'YAML or JSON, or - for standard input')
    .action((files: string[], flags: ServerFlags & { message?: string }) =>
      withServer(flags, (context) => create(context, files, flags))
    );

  addChange('edit', 'change a saved query in $VISUAL or $EDITOR; it is checked before it is stored')
    .argument('<name>', 'id or name')
    .action((name: string, flags: ServerFlags & { message?: string }) =>
      withServer(flags, (context) => edit(context, name, flags))
    );
}

/** Saved queries over time. */
function registerRevisions(add: AddCommand, addChange: AddCommand): void {
  add(
    'diff',
    'show differences between two revisions, or between the server and a folder; exit code 2 if there are any'
  )
    .argument('<name|folder>', 'id or name, or a folder')
    .argument('[from]', 'revision (default: the one before the newest)', wholeNumber)
    .argument('[to]', 'revision (default: the newest)', wholeNumber)
    .action((target: string, from: number | undefined, to: number | undefined, flags: ServerFlags) =>
      withServer(flags, (context) => diff(context, target, from, to))
    );

  add('history', 'list the revisions of a saved query, newest first')
    .argument('<name>', 'id or name; a deleted one has its history too')
    .option('--json', 'print JSON')
    .action((name: string, flags: ServerFlags & { json?: boolean }) =>
      withServer(flags, (context) => history(context, name, flags))
    );

  addChange('restore', 'make an earlier revision the newest, also of a deleted saved query')
    .argument('<name>', 'id or name')
    .argument('<revision>', 'number of the revision', wholeNumber)
    .action((name: string, revision: number, flags: ServerFlags & { message?: string }) =>
      withServer(flags, (context) => restore(context, name, revision, flags))
    );

  addChange('delete', 'delete a saved query; its history stays')
    .argument('<name>', 'id or name')
    .option('-y, --yes', 'do not ask')
    .action((name: string, flags: ServerFlags & { yes?: boolean; message?: string }) =>
      withServer(flags, (context) => remove(context, name, flags))
    );
}

/** Saved queries as files in a folder. */
function registerFolders(add: AddCommand, addChange: AddCommand): void {
  add('pull', 'write each saved query of the API to <folder>/<name>.yaml, byte for byte')
    .argument('<folder>')
    .option('--prune', 'remove files of saved queries that the server does not have')
    .action((folder: string, flags: ServerFlags & { prune?: boolean }) =>
      withServer(flags, (context) => pull(context, folder, flags))
    );

  addChange('apply', 'make the saved queries of the API equal to the YAML files of a folder; shows the plan first')
    .argument('<folder>')
    .option('--prune', 'delete saved queries that have no file')
    .option('--dry-run', 'only check and show the plan; exit code 2 if it has changes')
    .option('-y, --yes', 'do not ask')
    .action((folder: string, flags: ServerFlags & ApplyFlags) =>
      withServer(flags, (context) => apply(context, folder, flags))
    );
}

function registerImport(addChange: AddCommand): void {
  addChange('import', 'import saved queries of the older service, or files of SQL; all are checked first')
    .argument('<files...>', 'JSON of its management API, .sql files, or - for JSON from standard input')
    .option(
      '-s, --source <old=new>',
      'the source that a table became; may be given several times',
      collectSource,
      new Map()
    )
    .option('--replace', 'update saved queries with the same id or name')
    .option('--all-or-nothing', 'import nothing when one cannot be imported')
    .option('--dry-run', 'only check')
    .option('--report <file>', 'write a report: JSON when the name ends in .json, else Markdown')
    .action((files: string[], flags: ServerFlags & ImportFlags) =>
      withServer(flags, (context) => importQueries(context, files, flags))
    );
}

function collectSource(text: string, mapping: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, from = '', to = ''] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
  if (from.trim() === '' || !/^[^`\\\p{Cc}]+$/u.test(to))
    throw new InvalidArgumentError("must be old=new, like 'cloudflare.logs=edge_requests'.");
  return new Map([...mapping, [from.trim(), to.trim()]]);
}
