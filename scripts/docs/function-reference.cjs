/**
 * The reference of functions in docs/sql.md, as Markdown: an index of names, then a table for each family.
 *
 * @typedef {import('../../compiler/functions/function').FunctionSpec} FunctionSpec
 * @typedef {import('../../compiler/functions/catalog').FunctionFamily} FunctionFamily
 */

/** @param {readonly FunctionFamily[]} families */
function functionReference(families) {
  return [...families.map(index), ...families.map(section)].join('\n\n');
}

/** @param {FunctionFamily} family */
function index({ title, functions }) {
  const names = functions.flatMap((spec) => spec.names.map((name) => `[${name}](#${anchor(spec)})`));
  return `**${title}**: ${names.join(', ')}.`;
}

/** @param {FunctionFamily} family */
function section({ title, functions }) {
  const head = ['| Function | Types | Gives | Example |', '| --- | --- | --- | --- |'];
  return [`### ${title}`, '', ...head, ...functions.map(row)].join('\n');
}

/** @param {FunctionSpec} spec */
function row(spec) {
  const { names, usage, types = '', summary, safe, example } = spec;
  const [, ...others] = names;
  const also = others.length === 0 ? [] : [`Also ${others.map(code).join(', ')}.`];
  const safely = safe === true ? ['`SAFE.` may stand before it.'] : [];
  const cells = [
    `<a id="${anchor(spec)}"></a>${code(usage)}`,
    types,
    [summary, ...also, ...safely].join(' '),
    example === undefined ? '' : `${code(example.text)} gives ${code(example.gives)}`,
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
