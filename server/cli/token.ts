/**
 * `lqe token create|list|rotate|revoke`: works while servers run. On the data folder of one server, which sees each
 * change within a second, or on the database that several share (LQE_CATALOG_URL), which see it within five.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { type Scope, SCOPES, type StoredToken, type TokenPolicy } from '#contract/token';
import { isTenant, MAX_TENANT_BYTES } from '#contract/tenant';
import { readEnv } from '../config';
import { creation, type IssuedToken, revocation, rotation } from '../catalog/tokens/manage-tokens';
import { formatTable } from './format-table';
import { tenantOf } from '../catalog/tokens/tenant-of';
import { openTokenRegister, type TokenRegister } from './token-register';

interface CommonFlags {
  readonly dataDir: string;
  readonly json?: boolean;
}

interface CreateFlags extends CommonFlags {
  readonly name: string;
  readonly scope: readonly Scope[];
  readonly endpoint?: readonly string[];
  readonly fix: Readonly<Record<string, string>>;
  readonly tenant?: string;
  readonly forceRedaction?: boolean;
  readonly maxRows?: number;
  readonly rate?: number;
  readonly expires?: string;
}

const DEFAULT_SCOPES: readonly Scope[] = ['query', 'adhoc', 'endpoints:read'];

export function registerToken(program: Command): void {
  const token = program.command('token').description('create, list, rotate and revoke access tokens');
  const add = (name: string, description: string): Command =>
    token
      .command(name)
      .description(description)
      .option('--data-dir <folder>', 'data folder of the server', process.env.LQE_DATA_DIR ?? './data')
      .option('--json', 'print JSON');

  add('create', 'create a token; its text is shown once')
    .requiredOption('-n, --name <name>', 'what the token is for', tokenName)
    .option('-s, --scope <scopes...>', `what it may do: ${SCOPES.join(', ')}`, collectScopes, [])
    .option('-e, --endpoint <queries...>', 'ids or names of the saved queries it sees (default: all)')
    .option('--fix <name=value...>', 'bind a parameter to a value, e.g. project=abc', collectFixed, {})
    .option('--tenant <tenant>', 'only events of this tenant exist for the token', tenantName)
    .option('--force-redaction', 'redact every answer')
    .option('--max-rows <rows>', 'row cap below that of the saved queries', wholeNumber)
    .option('--rate <requests>', 'requests a minute (default: that of the server)', wholeNumber)
    .option('--expires <when>', 'a time (2027-01-31, 2027-01-31T12:00:00Z) or a span (12h, 90d)', expiry)
    .addHelpText('after', CREATE_HELP)
    .action((flags: CreateFlags) =>
      withRegister(flags, async (register) => {
        const now = new Date();
        const policy = policyOf(flags);
        const tenant = tenantOf({ policy }, { all: await register.savedQueries() });
        printIssued(await register.change(now, creation(policy, register.key(), now)), flags, tenant);
      })
    );

  add('list', 'list all tokens, revoked ones too').action((flags: CommonFlags) =>
    withRegister(flags, (register) => list(register, flags))
  );

  add('rotate', 'give a token a new text; the old one stays valid for a while')
    .argument('<token>', 'id or name')
    .option('--grace-seconds <seconds>', 'how long the old text stays valid; 0: not at all', graceSeconds, 3600)
    .action((idOrName: string, flags: CommonFlags & { graceSeconds: number }) =>
      withRegister(flags, async (register) => {
        const now = new Date();
        printIssued(await register.change(now, rotation(idOrName, flags.graceSeconds, register.key(), now)), flags);
      })
    );

  add('revoke', 'end a token; running servers refuse it within a second, or within five where they share a database')
    .argument('<token>', 'id or name')
    .action((idOrName: string, flags: CommonFlags) =>
      withRegister(flags, async (register) => {
        const now = new Date();
        const revoked = await register.change(now, revocation(idOrName, now));
        if (flags.json) printJson(describeToken(revoked, undefined));
        else console.log(`revoked ${revoked.id} (${revoked.name})`);
      })
    );
}

async function withRegister(flags: CommonFlags, work: (register: TokenRegister) => Promise<void>): Promise<void> {
  const register = await openTokenRegister(readEnv(process.env), flags.dataDir);
  await work(register).finally(() => register.close());
}

const CREATE_HELP = `
Without --scope the token may ${DEFAULT_SCOPES.join(', ')}.

Examples:
  lqe token create --name dashboards --scope query endpoints:read --expires 365d
  lqe token create --name customer-abc --scope query --endpoint logs.all --fix project=abc
  lqe token create --name customer-abc --tenant abc
  lqe token create --name shipper --scope ingest`;

function policyOf(flags: CreateFlags): TokenPolicy {
  return {
    name: flags.name,
    scopes: flags.scope.length > 0 ? [...flags.scope] : [...DEFAULT_SCOPES],
    endpoints: flags.endpoint === undefined ? '*' : [...flags.endpoint],
    fixed_parameters: { ...flags.fix },
    tenant: flags.tenant ?? null,
    force_redaction: flags.forceRedaction ?? false,
    max_rows: flags.maxRows ?? null,
    rate: flags.rate ?? null,
    expires_at: flags.expires ?? null,
  };
}

/** Only the token's text goes to standard output, so that `TOKEN=$(lqe token create ...)` works. */
function printIssued({ text, token }: IssuedToken, flags: CommonFlags, tenant = token.tenant): void {
  if (flags.json) {
    printJson({ token: text, ...describeToken(token, undefined) });
    return;
  }
  const whose = tenant === null ? '' : ` of the tenant "${tenant}"`;
  console.error(`token ${token.id} (${token.name})${whose}; this text is shown once:`);
  console.log(text);
}

async function list(register: TokenRegister, flags: CommonFlags): Promise<void> {
  const usage = await register.readUsage();
  const described = (await register.read()).map((token) => describeToken(token, usage[token.id]));
  if (flags.json) {
    printJson(described);
    return;
  }
  if (described.length === 0) {
    console.log('there is no token yet; make one with: lqe token create --name <name>');
    return;
  }
  console.log(
    formatTable(
      ['ID', 'NAME', 'STATE', 'SCOPES', 'ENDPOINTS', 'TENANT', 'FIXED', 'EXPIRES', 'LAST USED'],
      described.map((token) => [
        token.id,
        token.name,
        token.state,
        token.scopes.join(','),
        token.endpoints === '*' ? '*' : token.endpoints.join(','),
        token.tenant ?? '',
        Object.entries(token.fixed_parameters)
          .map((entry) => entry.join('='))
          .join(','),
        token.expires_at ?? 'never',
        token.last_used_at ?? 'never',
      ])
    )
  );
}

type DescribedToken = Omit<StoredToken, 'hash' | 'previous'> & {
  readonly state: 'active' | 'expired' | 'revoked';
  readonly last_used_at: string | null;
};

/** Lists the printed fields explicitly, so that hashes are never printed. */
function describeToken(token: StoredToken, lastUsedAt: string | undefined): DescribedToken {
  return {
    id: token.id,
    name: token.name,
    state: stateOf(token),
    scopes: token.scopes,
    endpoints: token.endpoints,
    fixed_parameters: token.fixed_parameters,
    tenant: token.tenant,
    force_redaction: token.force_redaction,
    max_rows: token.max_rows,
    rate: token.rate,
    expires_at: token.expires_at,
    created_at: token.created_at,
    revoked_at: token.revoked_at,
    last_used_at: lastUsedAt ?? null,
  };
}

function stateOf(token: StoredToken): DescribedToken['state'] {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at !== null && new Date(token.expires_at) <= new Date() ? 'expired' : 'active';
}

function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

function tokenName(text: string): string {
  // eslint-disable-next-line no-control-regex -- a name is printed in tables and logs
  if (text.trim() === '' || text.length > 100 || /[\u0000-\u001f\u007f]/.test(text))
    throw new InvalidArgumentError('must be 1 to 100 characters without control characters.');
  return text;
}

function tenantName(text: string): string {
  if (!isTenant(text))
    throw new InvalidArgumentError(`must be 1 to ${MAX_TENANT_BYTES} bytes of text without control characters.`);
  return text;
}

function collectScopes(text: string, before: readonly Scope[]): readonly Scope[] {
  const scopes = text.split(',').map((part) => SCOPES.find((scope) => scope === part.trim()));
  if (scopes.includes(undefined)) throw new InvalidArgumentError(`must be one of ${SCOPES.join(', ')}.`);
  return [...new Set([...before, ...(scopes as Scope[])])];
}

function collectFixed(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]{0,63})=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('must be written name=value.');
  return { ...before, [name]: value };
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number of at least 1.');
  return Number(text);
}

function graceSeconds(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number of seconds, 0 or more.');
  return Number(text);
}

const SPANS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function expiry(text: string): string {
  const span = /^(\d{1,6})([mhd])$/.exec(text);
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const at = span ? new Date(Date.now() + Number(span[1]) * SPANS_MS[span[2]!]!) : new Date(isTime ? text : Number.NaN);
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('must be a time like 2027-01-31 or a span like 90d, 12h.');
  if (at <= new Date()) throw new InvalidArgumentError('is in the past.');
  return at.toISOString();
}
