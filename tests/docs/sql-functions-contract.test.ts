import { SQL_FUNCTIONS } from '#contract/plugin/sql-functions';
import { FUNCTION_FAMILIES } from '#compiler/functions/catalog';

test('the editor completes exactly the functions of the registry', () => {
  const registry = FUNCTION_FAMILIES.flatMap(({ title, functions }) =>
    functions.flatMap(({ names, usage, summary }) => names.map((name) => ({ name, usage, summary, family: title })))
  );
  // scripts/generate/sql-functions.mjs writes it.
  expect(SQL_FUNCTIONS).toEqual(registry);
});
