/** Names of result columns: the last name of a path, or of a path and an aggregate; longer if two would be equal. */
import { isGrouped, type AggregateName, type BuilderModel, type FieldPath } from './model';

export interface Output {
  readonly name: string;
  /** Name given by the service without an alias; undefined if it cannot be written. */
  readonly bare: string | undefined;
}

interface Wanted {
  readonly alias: string | undefined;
  readonly bare: string | undefined;
  /** Candidates; the first unused one becomes the name. */
  readonly names: readonly string[];
}

const TIME = 'time';

/** Result columns in selection order: bucket, groups and aggregates, or columns. */
export function outputsOf(model: BuilderModel): readonly Output[] {
  const wanted = isGrouped(model)
    ? [
        ...(model.bucket ? [wantedOf(model.bucket.alias, undefined, [TIME])] : []),
        ...model.groups.map(({ path, alias }) => wantedOf(alias, last(path), namesOf(path))),
        ...model.aggregates.map(({ name, path, alias }) => wantedOf(alias, undefined, aggregateNames(name, path))),
      ]
    : model.columns.map(({ path, alias }) => wantedOf(alias, last(path), namesOf(path)));
  // Aliases take precedence over default names.
  const aliases = wanted.map(({ alias }) => alias?.toLowerCase());
  const taken = new Set(aliases.filter((alias) => alias !== undefined));
  return wanted.map(({ alias, bare, names }, at) => {
    if (alias !== undefined && aliases.indexOf(aliases[at]) === at) return { name: alias, bare };
    const name = names.find((each) => !taken.has(each.toLowerCase())) ?? numbered(names[names.length - 1]!, taken);
    taken.add(name.toLowerCase());
    return { name, bare };
  });
}

/**
 * Model with these names of the result columns, in order; undefined: the default name. Keeps an alias only if the
 * default name would differ.
 */
export function withOutputNames(model: BuilderModel, names: ReadonlyArray<string | undefined>): BuilderModel {
  const target = namesText(withAliases(model, names));
  const aliases = [...names];
  for (const [at, alias] of names.entries()) {
    aliases[at] = undefined;
    if (namesText(withAliases(model, aliases)) !== target) aliases[at] = alias;
  }
  return withAliases(model, aliases);
}

/** Same query with the minimum of aliases, as read from its text. */
export function canonical(model: BuilderModel): BuilderModel {
  return withOutputNames(
    model,
    outputsOf(model).map(({ name }) => name)
  );
}

function namesText(model: BuilderModel): string {
  return JSON.stringify(outputsOf(model).map(({ name }) => name));
}

function withAliases(model: BuilderModel, aliases: ReadonlyArray<string | undefined>): BuilderModel {
  const left = [...aliases];
  const named = <T extends { readonly alias?: string }>({ alias: _, ...rest }: T): T => {
    const alias = left.shift();
    return (alias === undefined ? rest : { ...rest, alias }) as T;
  };
  return isGrouped(model)
    ? {
        ...model,
        bucket: model.bucket && named(model.bucket),
        groups: model.groups.map(named),
        aggregates: model.aggregates.map(named),
      }
    : { ...model, columns: model.columns.map(named) };
}

function wantedOf(alias: string | undefined, bare: string | undefined, names: readonly string[]): Wanted {
  return { alias, bare, names };
}

function numbered(name: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${name}_${number}`.toLowerCase())) number++;
  return `${name}_${number}`;
}

function namesOf(path: FieldPath): readonly string[] {
  return [last(path), path.join('_')];
}

function aggregateNames(name: AggregateName, path: FieldPath | null): readonly string[] {
  return path === null ? [name] : [`${name}_${last(path)}`, `${name}_${path.join('_')}`];
}

function last(path: FieldPath): string {
  return path[path.length - 1] ?? '';
}
