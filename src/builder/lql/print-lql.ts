/** Prints a model as one line of LQL. Reading the text gives the same model. */
import { printLqlEquality } from '#compiler/browser';
import { escapeVariables } from '#contract/plugin/literal-text';
import { isGrouped, type BuilderFilter, type BuilderModel, type FieldPath, type FilterValue } from '../model';

export function printLql(model: BuilderModel): string {
  const { bucket } = model;
  return [
    `f:${printText(model.table)}`,
    ...(model.timeFilter === null ? [] : ['$__timeFilter']),
    ...model.filters.map(printLqlFilter),
    ...model.columns.map(({ path, alias }) => `s:${printPath(path)}${alias === undefined ? '' : `@${alias}`}`),
    ...model.aggregates.map(({ name, path }) => `c:${name}(${path === null ? '*' : printPath(path)})`),
    // An LQL chart always has buckets.
    ...(isGrouped(model) ? [`c:group_by(${bucket?.period ? `t::${bucket.period}` : '$__timeGroup'})`] : []),
    ...model.groups.map(({ path }) => `c:group_by(${printPath(path)})`),
  ].join(' ');
}

export function printLqlFilter({ path, operator, values }: BuilderFilter): string {
  const isNegated = operator.startsWith('not ') || operator === '!=';
  const minus = isNegated ? '-' : '';
  const [value] = values;
  const isMessage = path.length === 1 && path[0] === 'event_message';
  switch (operator) {
    case 'contains':
    case 'not contains':
      return `${minus}${isMessage ? '' : `${printPath(path)}:~`}${printWord(value, !isMessage)}`;
    case 'matches':
    case 'not matches':
      return `${minus}${isMessage ? '' : `${printPath(path)}:`}~${printWord(value)}`;
    case 'includes':
    case 'not includes':
      return `${minus}${printPath(path)}:@>${printValue(value)}`;
    case 'in':
    case 'not in':
      return printLqlEquality(printPath(path), `in(${values.map(printValue).join(',')})`, isNegated);
    case 'null':
    case 'not null':
      return printLqlEquality(printPath(path), 'NULL', isNegated);
    case '=':
    case '!=':
      return printLqlEquality(printPath(path), printValue(value), isNegated);
    default:
      return `${printPath(path)}:${operator}${printValue(value)}`;
  }
}

export function printPath([first = '', ...rest]: FieldPath): string {
  const isOfMetadata = first === 'metadata' && rest.length > 0;
  return [isOfMetadata ? 'm' : printSegment(first), ...rest.map(printSegment)].join('.');
}

function printSegment(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name);
}

/** Prints a search text, also for numbers. */
function printWord(value: FilterValue | undefined, isLiteralInRegex = false): string {
  if (!value) return quote('');
  if (value.kind === 'variable') return value.text;
  return isLiteralInRegex ? quote(escapeRegex(value.text)) : printText(value.text);
}

function printValue(value: FilterValue | undefined): string {
  if (value?.kind === 'variable' || value?.kind === 'number' || value?.kind === 'bool') return value.text;
  return quote(value?.text ?? '');
}

function printText(text: string): string {
  return /^[A-Za-z_]\w*$/.test(text) ? text : quote(text);
}

/** Escapes a text for a regular expression; `\Q…\E` would end at an `\E` inside the text. */
function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A text with `$` is no variable: those are values of their own kind. */
function quote(text: string): string {
  return escapeVariables(`"${text.replace(/["\\]/g, '\\$&')}"`);
}
