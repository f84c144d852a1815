/** Joins the WITH queries of a saved query with ad-hoc SQL as its final SELECT. */
import { joinStatements as join } from '#compiler/browser';
import { notComposable } from './markers';

/** @throws PluginError `not_composable` for a text that has no such parts, and for a name that both define */
export function joinStatements(definition: string, adhoc: string): string {
  const joined = join(definition, adhoc);
  if (joined.problem !== null) throw notComposable(joined.problem, joined.hint);
  return joined.text;
}
