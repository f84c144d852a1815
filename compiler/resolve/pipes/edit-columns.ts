/** `|> SET`, `|> DROP` and `|> RENAME`: the columns of a block with other values, fewer of them, or by other names. */
import type { PipeStep } from '../../ast';
import type { ExpressionResolver } from '../expressions/resolve-expression';
import { failure } from '../failure';
import type { PipeBlock } from './pipe-block';
import { edited, listedColumns, type PipeColumn } from './pipe-variables';

/** @param resolver resolves the values of SET */
export function editColumns(
  step: Extract<PipeStep, { kind: 'pipe-set' | 'pipe-drop' | 'pipe-rename' }>,
  block: PipeBlock,
  resolver: () => ExpressionResolver
): void {
  const { position } = step;
  switch (step.kind) {
    case 'pipe-set': {
      const values = resolver();
      const columns = step.items.map(({ name, expression }) => {
        const value = values.resolve(expression);
        block.note(name.name, value);
        const edit = (column: PipeColumn): PipeColumn => ({ name: column.name, type: value.type, read: () => value });
        return { name, edit };
      });
      block.piece = { ...block.piece, ...edited(block.piece, { operator: 'SET', columns }, position) };
      return;
    }
    case 'pipe-drop': {
      const columns = step.names.map((name) => ({ name, edit: () => null }));
      const left = edited(block.piece, { operator: 'DROP', columns, takesSeveral: true }, position);
      if (listedColumns(left, position).length === 0) {
        throw failure('wrong_columns', '|> DROP leaves no columns', position);
      }
      block.piece = { ...block.piece, ...left };
      return;
    }
    case 'pipe-rename': {
      const columns = step.items.map(({ from, to }) => {
        for (const names of [block.heavy, block.random]) {
          if (names.has(from.name.toLowerCase())) names.add(to.name.toLowerCase());
        }
        return { name: from, edit: (column: PipeColumn): PipeColumn => ({ ...column, name: to.name }) };
      });
      block.piece = { ...block.piece, ...edited(block.piece, { operator: 'RENAME', columns }, position) };
      return;
    }
  }
}
