/**
 * `lqe token create|list|change|rotate|revoke`: on the data folder of one server, which sees each change within a
 * second; on the database that several share (LQE_CATALOG_URL); or over HTTP (LQE_URL, `--url`), within the power of
 * the access token.
 */
import type { Command } from 'commander';
import { type DescribedIssue, type DescribedToken, SCOPES } from '#contract/tokens/token';
import { DEFAULT_GRACE_SECONDS, DEFAULT_SCOPES } from '../../catalog/tokens/token-fields';
import { readEnv } from '../../config';
import { dataDirOption } from '../file-options';
import { formatTable } from '../output/format-table';
import { printable } from '../output/terminal';
import { createManagementClient, ManagementError } from '../remote/management-client';
import { noToken } from '../remote/server-target';
import { openLocalTokens } from './local-tokens';
import { openRemoteTokens } from './remote-tokens';
import type { TokenBackend } from './token-backend';
import {
  collectEndpoints,
  collectFixed,
  collectScopes,
  expiry,
  expiryOrNever,
  graceSeconds,
  patchOfFlags,
  type PolicyFlags,
  policyOfFlags,
  tenantName,
  tokenName,
  wholeNumber,
} from './token-flags';

interface CommonFlags {
  readonly dataDir: string;
  readonly url?: string;
  readonly token?: string;
  readonly message?: string;
  readonly json?: boolean;
}

/** Adds a command of this group, with the options that say whose tokens they are. */
type AddCommand = (name: string, description: string) => Command;

export function registerToken(program: Command): void {
  const token = program.command('token').description('create, list, change, rotate and revoke access tokens');
  const add: AddCommand = (name, description) =>
    token
      .command(name)
      .description(description)
      .addOption(dataDirOption())
      .option('--url <url>', 'base URL of a running server, in place of the data folder (default: $LQE_URL)')
      .option('--token <token>', 'access token with the scope tokens:admin, for --url (default: $LQE_TOKEN)')
      .option('--json', 'print JSON');
  const addChange: AddCommand = (name, description) =>
    add(name, description).option('--message <note>', 'note for the audit trail');

  registerCreate(addChange);
  add('list', 'list all tokens, revoked ones too').action((flags: CommonFlags, command: Command) =>
    withTokens(flags, command, (tokens) => list(tokens, flags))
  );
  registerChange(addChange);
  registerRotate(addChange);
  registerRevoke(addChange);
}

function registerCreate(addChange: AddCommand): void {
  addLimits(addChange('create', 'create a token; its text is shown once'), {
    scope: `what it may do: ${SCOPES.join(', ')}, or all`,
    endpoint: 'ids or names of the saved queries it sees; * for all (default: all)',
  })
    .requiredOption('-n, --name <name>', 'what the token is for', tokenName)
    .option('--force-redaction', 'redact every answer')
    .option('--expires <when>', 'a time (2027-01-31, 2027-01-31T12:00:00Z) or a span (12h, 90d)', expiry)
    .addHelpText('after', CREATE_HELP)
    .action((flags: CommonFlags & PolicyFlags & { name: string }, command: Command) =>
      withTokens(flags, command, async (tokens) => {
        const { issue, tenant } = await tokens.create(policyOfFlags(flags), flags.message ?? null);
        printIssued(issue, flags, tenant);
      })
    );
}

function registerChange(addChange: AddCommand): void {
  addLimits(addChange('change', 'change the limits of a token; its text stays'), {
    scope: 'scopes in place of its own',
    endpoint: 'saved queries in place of its own; * for all',
  })
    .argument('<token>', 'id or name')
    .option('-n, --name <name>', 'another name', tokenName)
    .option('--force-redaction', 'redact every answer')
    .option('--no-force-redaction', 'redact only what the saved queries redact')
    .option('--expires <when>', 'a time, a span (90d), or never', expiryOrNever)
    .action((idOrName: string, flags: CommonFlags & PolicyFlags, command: Command) =>
      withTokens(flags, command, async (tokens) => {
        const patch = patchOfFlags(flags);
        if (Object.keys(patch).length === 0)
          throw new ManagementError('Nothing was changed: give at least one limit, such as --rate 60.');
        const changed = await tokens.change(idOrName, patch, flags.message ?? null);
        printChanged('changed', changed, flags);
      })
    );
}

function registerRotate(addChange: AddCommand): void {
  addChange('rotate', 'give a token a new text; the old one stays valid for a while')
    .argument('<token>', 'id or name')
    .option(
      '--grace-seconds <seconds>',
      'how long the old text stays valid; 0: not at all',
      graceSeconds,
      DEFAULT_GRACE_SECONDS
    )
    .action((idOrName: string, flags: CommonFlags & { graceSeconds: number }, command: Command) =>
      withTokens(flags, command, async (tokens) => {
        printIssued(await tokens.rotate(idOrName, flags.graceSeconds, flags.message ?? null), flags);
      })
    );
}

function registerRevoke(addChange: AddCommand): void {
  addChange(
    'revoke',
    'end a token; running servers refuse it within a second, a server that is asked over HTTP at once'
  )
    .argument('<token>', 'id or name')
    .action((idOrName: string, flags: CommonFlags, command: Command) =>
      withTokens(flags, command, async (tokens) => {
        printChanged('revoked', await tokens.revoke(idOrName, flags.message ?? null), flags);
      })
    );
}

/** The flags that `create` and `change` have in common. */
function addLimits(command: Command, help: { readonly scope: string; readonly endpoint: string }): Command {
  return command
    .option('-s, --scope <scopes...>', help.scope, collectScopes)
    .option('-e, --endpoint <queries...>', help.endpoint, collectEndpoints)
    .option('--fix <name=value...>', 'bind a parameter to a value, e.g. project=abc', collectFixed)
    .option('--tenant <tenant>', 'only events of this tenant exist for the token', tenantName)
    .option('--max-rows <rows>', 'row cap below that of the saved queries', wholeNumber)
    .option('--rate <requests>', 'requests a minute (default: that of the server)', wholeNumber);
}

async function withTokens(
  flags: CommonFlags,
  command: Command,
  work: (tokens: TokenBackend) => Promise<void>
): Promise<void> {
  const tokens = await openTokens(flags, command.getOptionValueSource('dataDir') === 'cli');
  await work(tokens).finally(() => tokens.close());
}

async function openTokens(flags: CommonFlags, isFolderGiven: boolean): Promise<TokenBackend> {
  if (isFolderGiven && flags.url !== undefined)
    throw new ManagementError('Give either --url or --data-dir: one is a running server, the other its folder.');
  const url = isFolderGiven ? undefined : (flags.url ?? (process.env.LQE_URL || undefined));
  if (url === undefined) return openLocalTokens(readEnv(process.env), flags.dataDir);
  const token = flags.token ?? (process.env.LQE_TOKEN || undefined);
  if (token === undefined) throw new ManagementError(noToken('tokens:admin'));
  return openRemoteTokens(createManagementClient({ url, token }, { onWait: (line) => console.error(line) }));
}

const CREATE_HELP = `
Without --scope the token may ${DEFAULT_SCOPES.join(', ')}.
With LQE_URL or --url the server creates it, and gives it at most what the access token itself has.

Examples:
  lqe token create --name admin --scope all
  lqe token create --name dashboards --scope query endpoints:read --expires 365d
  lqe token create --name customer-abc --scope query --endpoint logs.all --fix project=abc
  lqe token create --name customer-abc --tenant abc
  lqe token create --name shipper --scope ingest
  LQE_URL=https://logs.example.com LQE_TOKEN=lqe_... lqe token create --name ci --expires 1h`;

/** Only the token's text goes to standard output, so that `TOKEN=$(lqe token create ...)` works. */
function printIssued(issue: DescribedIssue, flags: CommonFlags, tenant = issue.tenant): void {
  if (flags.json) {
    printJson(issue);
    return;
  }
  const whose = tenant === null ? '' : ` of the tenant "${tenant}"`;
  console.error(printable(`token ${issue.id} (${issue.name})${whose}; this text is shown once:`));
  console.log(issue.token);
}

function printChanged(what: string, token: DescribedToken, flags: CommonFlags): void {
  if (flags.json) printJson(token);
  else console.log(printable(`${what} ${token.id} (${token.name})`));
}

async function list(tokens: TokenBackend, flags: CommonFlags): Promise<void> {
  const described = await tokens.list();
  if (flags.json) {
    printJson(described);
    return;
  }
  if (described.length === 0) {
    console.log('there is no token yet; create one with: lqe token create --name <name>');
    return;
  }
  const table = formatTable(
    ['ID', 'NAME', 'STATE', 'SCOPES', 'ENDPOINTS', 'TENANT', 'FIXED', 'LIMITS', 'EXPIRES', 'LAST USED'],
    described.map((token) => [
      token.id,
      token.name,
      token.state,
      token.scopes.length === SCOPES.length ? 'all' : token.scopes.join(','),
      token.endpoints === '*' ? '*' : token.endpoints.join(','),
      token.tenant ?? '',
      Object.entries(token.fixed_parameters)
        .map((entry) => entry.join('='))
        .join(','),
      limitsOf(token),
      token.expires_at ?? 'never',
      token.last_used_at ?? 'never',
    ])
  );
  console.log(printable(table));
}

function limitsOf({ force_redaction, max_rows, rate }: DescribedToken): string {
  return [
    ...(force_redaction ? ['redacted'] : []),
    ...(max_rows === null ? [] : [`${max_rows} rows`]),
    ...(rate === null ? [] : [`${rate} a minute`]),
  ].join(', ');
}

function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}
