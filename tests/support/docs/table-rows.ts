/** Rows of documents that repeat a table of the contract. */
import type { Alias } from '#contract/routes/aliases';
import type { ErrorCode } from '#contract/errors';
import type { Route } from '#contract/routes/route';
import { ROUTES } from '#contract/routes/routes';
import type { Setting } from '#contract/settings';
import { SCOPES } from '#contract/tokens/token';

export function settingRow(setting: Setting): string {
  return `| \`${setting.name}\` | ${defaultText(setting)} | ${valuesText(setting)} | ${setting.description} |`;
}

export function routeRow(route: Route): string {
  const methods = route.methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ');
  const scopes = [route.scope ?? []].flat().map((scope) => `\`${scope}\``);
  const needed = route.scope === SCOPES ? 'any' : scopes.join(' or ') || 'none';
  return `| ${methods} | \`${route.path}\` | ${needed} | ${route.purpose} |`;
}

export function aliasRow({ path, route, purpose }: Alias): string {
  const known = ROUTES.find(({ id }) => id === route)!;
  return `| \`${path}\` | \`${known.path}\` | ${purpose} |`;
}

/** The start of the row: what to do about it is for people to write. */
export function errorRowStart(
  code: ErrorCode,
  { status, title }: { readonly status: number; readonly title: string }
): string {
  return `| ${status} | \`${code}\` | ${title}`;
}

function defaultText(setting: Setting): string {
  if (setting.default === null) return 'not set';
  return `\`${setting.default}\``;
}

function valuesText(setting: Setting): string {
  switch (setting.type) {
    case 'integer':
      return `${setting.min} to ${setting.max}`;
    case 'choice':
      return setting.choices.map((choice) => `\`${choice}\``).join(', ');
    case 'text':
      return 'text';
  }
}
