/**
 * The reference of functions in docs/sql.md, as Markdown: an index of names, then a table for each family. Usage and
 * summary are those of the registry; types and examples those of docs/sql-functions.yaml.
 *
 * @typedef {import('./function-reference.cjs').Documented} Documented
 * @typedef {import('../../compiler/functions/function').FunctionSpec} FunctionSpec
 * @typedef {import('../../compiler/functions/catalog').FunctionFamily} FunctionFamily
 */

/**
 * @param {readonly FunctionFamily[]} families
 * @param {Documented} documented
 */
function functionReference(families, documented) {
  return [...families.map(index), ...families.map((family) => section(family, documented))].join('\n\n');
}

/** @param {FunctionFamily} family */
function index({ title, functions }) {
  const names = functions.flatMap((spec) => spec.names.map((name) => `[${name}](#${anchor(spec)})`));
  return `**${title}**: ${names.join(', ')}.`;
}

/**
 * @param {FunctionFamily} family
 * @param {Documented} documented
 */
function section({ title, functions }, documented) {
  const head = ['| Function | Types | Gives | Example |', '| --- | --- | --- | --- |'];
  return [`### ${title}`, '', ...head, ...functions.map((spec) => row(spec, documented))].join('\n');
}

/**
 * @param {FunctionSpec} spec
 * @param {Documented} documented
 */
function row(spec, documented) {
  const { names, usage, summary, safe } = spec;
  const [first = '', ...others] = names;
  const { types, example, gives } = documented[first] ?? { types: '', example: '', gives: '' };
  const also = others.length === 0 ? [] : [`Also ${others.map(code).join(', ')}.`];
  const safely = safe === true ? ['`SAFE.` may stand before it.'] : [];
  const cells = [
    `<a id="${anchor(spec)}"></a>${code(usage)}`,
    types,
    [summary, ...also, ...safely].join(' '),
    `${code(example)} gives ${code(gives)}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param {string} text */
function code(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** @param {FunctionSpec} spec */
function anchor({ names }) {
  return (names[0] ?? '').toLowerCase().replaceAll('.', '-');
}

module.exports = { functionReference };
