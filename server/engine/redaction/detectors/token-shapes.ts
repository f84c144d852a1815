/**
 * Credentials that show by their form: each begins with its maker's prefix, as the makers' own documents and secret
 * scanners describe it. Pieces of one regular expression that JavaScript and RE2 read alike: no lookaround, no back
 * reference. A run that may hold the start of its own shape comes at the very end, so that a search takes time in the
 * length of the text alone.
 */
type Shape = readonly [maker: string, shape: string];

/** JSON web token, signed or encrypted. Its first run has no bound and may hold further starts of the shape. */
export const WEB_TOKEN = {
  header: 'eyJ[0-9A-Za-z_-]{6,}',
  otherParts: '\\.[0-9A-Za-z_-]{4,}[0-9A-Za-z_.-]*',
} as const;

const SHAPES: readonly Shape[] = [
  ['this service', 'lqe_[0-9A-Za-z]{8}_[0-9A-Za-z_-]{16,}'],
  ['AWS access key id', '(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA|ABIA|ACCA|AIPA)[0-9A-Z]{16}'],
  ['GitHub', 'gh[pousr]_[0-9A-Za-z]{20,}'],
  ['GitHub, fine-grained', 'github_pat_[0-9A-Za-z_]{20,}'],
  ['GitLab', 'gl(?:pat|dt|rt|ptt|ft|soat|agent|cbt)-[0-9A-Za-z_-]{20,}'],
  ['Stripe', '[srp]k_(?:live|test)_[0-9A-Za-z]{10,}'],
  ['Stripe and Svix webhooks', 'whsec_[0-9A-Za-z+/=]{16,}'],
  ['Google API key', 'AIza[0-9A-Za-z_-]{30,}'],
  ['Google OAuth', '(?:ya29\\.|GOCSPX-)[0-9A-Za-z_-]{20,}'],
  ['Slack', 'xox[abceoprs]-[0-9A-Za-z-]{10,}'],
  ['Slack, app level', 'xapp-[0-9]-[0-9A-Za-z-]{10,}'],
  ['Slack webhook', 'hooks\\.slack\\.com/(?:services|workflows)/[0-9A-Za-z/_-]{10,}'],
  ['OpenAI and Anthropic', 'sk-(?:proj|svcacct|admin|ant|or)-[0-9A-Za-z_-]{20,}'],
  ['OpenAI, older', 'sk-[0-9A-Za-z]{32,}'],
  ['SendGrid', 'SG\\.[0-9A-Za-z_-]{16,}\\.[0-9A-Za-z_-]{16,}'],
  ['Mailgun', 'key-[0-9a-f]{32}'],
  ['Twilio', '(?:SK|AC)[0-9a-f]{32}'],
  ['npm', 'npm_[0-9A-Za-z]{30,}'],
  ['PyPI', 'pypi-[0-9A-Za-z_-]{16,}'],
  ['Docker', 'dckr_(?:pat|oat)_[0-9A-Za-z_-]{20,}'],
  ['Supabase', 'sb(?:p|_secret|_publishable)_[0-9A-Za-z_-]{20,}'],
  ['Hugging Face', 'hf_[0-9A-Za-z]{30,}'],
  ['DigitalOcean', 'do[opr]_v1_[0-9a-f]{40,}'],
  ['Shopify', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  ['Square', 'sq0[a-z]{3}-[0-9A-Za-z_-]{22,}'],
  ['Grafana', 'gl(?:sa|c)_[0-9A-Za-z_+/=]{30,}'],
  ['Vault', 'hv[sbr]\\.[0-9A-Za-z_-]{20,}'],
  ['Atlassian', 'AT(?:ATT|BB|CTT)3?[0-9A-Za-z_=-]{20,}'],
  ['Databricks', 'dapi[0-9a-f]{32}'],
  ['Linear', 'lin_(?:api|oauth)_[0-9A-Za-z]{30,}'],
  ['Notion', 'ntn_[0-9A-Za-z]{30,}'],
  ['Telegram bot', '[0-9]{8,10}:AA[0-9A-Za-z_-]{30,}'],
  ['age', 'AGE-SECRET-KEY-1[0-9A-Z]{40,}'],
];

/** What shapes end in: characters of one class, so often or more. */
const TAIL = /^(?<head>.*)(?<character>\[[^\]]+\])(?<times>\{[0-9]+,?\})$/;
/** Enough of them to tell a token from other text. */
const FEW = '{4}';

const ALL: readonly Shape[] = [['JSON web token', `${WEB_TOKEN.header}${WEB_TOKEN.otherParts}`], ...SHAPES];
const whole = (character: string, times: string): string => `${character}${times}`;

/** Shapes that end alike share their end: a repetition is compiled once for each time. */
export const TOKEN_SHAPES = alternatives(ALL, whole);
/** Matches every text that contains one of the shapes, and is compiled faster. */
export const SHAPE_STARTS = alternatives(ALL, (character) => `${character}${FEW}`);
/** All shapes but that of JSON web tokens. */
export const MAKER_SHAPES = alternatives(SHAPES, whole);

function alternatives(shapes: readonly Shape[], endOf: (character: string, times: string) => string): string {
  const heads = new Map<string, string[]>();
  for (const [, shape] of shapes) {
    const { head = shape, character = '', times = '' } = TAIL.exec(shape)?.groups ?? {};
    const end = character === '' ? '' : endOf(character, times);
    heads.set(end, [...(heads.get(end) ?? []), head]);
  }
  return [...heads].map(([end, alike]) => `(?:${alike.join('|')})${end}`).join('|');
}

const HINTS = (
  'lqe_ eyJ AKIA ASIA AGPA AIDA AROA ANPA ANVA ABIA ACCA AIPA ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- glft- glsoat- ' +
  'glagent- glcbt- k_live_ k_test_ whsec_ AIza ya29. GOCSPX- xox xapp- hooks.slack. sk- SG. key- SK AC npm_ pypi- dckr_ sbp_ sb_ hf_ dop_ doo_ ' +
  'dor_ shpat_ shpca_ shppa_ shpss_ sq0 glsa_ glc_ hvs. hvb. hvr. ATATT ATBB ATCTT dapi lin_ ntn_ :AA AGE-SECRET'
).split(' ');

/** Cheap test: a text without any of these contains none of the shapes. */
export const TOKEN_HINT = new RegExp(HINTS.map((hint) => hint.replaceAll('.', '\\.')).join('|'));
