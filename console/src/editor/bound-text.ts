/**
 * Refuses to insert more than a service takes as it is set up first: each key would be slow, and the text runs nowhere.
 */
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { showPanel } from '@codemirror/view';

/** As `LQE_MAX_QUERY_BODY_BYTES` by default. A longer text that is there already can be shortened. */
const MAX_CHARACTERS = 262_144;

/** Sent in place of what was to be inserted, with the length that the text would have. */
const refused = StateEffect.define<number>();

const refusal = StateField.define<number | null>({
  create: () => null,
  update: (length, { docChanged, effects }) =>
    effects.find((effect) => effect.is(refused))?.value ?? (docChanged ? null : length),
  provide: (field) => showPanel.from(field, (length) => (length === null ? null : () => ({ dom: message(length) }))),
});

const filter = EditorState.transactionFilter.of((transaction) => {
  const { docChanged, newDoc, startState } = transaction;
  if (!docChanged || !transaction.isUserEvent('input')) return transaction;
  const isTooLong = newDoc.length > MAX_CHARACTERS && newDoc.length > startState.doc.length;
  return isTooLong ? { effects: refused.of(newDoc.length) } : transaction;
});

export const boundText = [refusal, filter];

function message(length: number): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'refused';
  dom.setAttribute('role', 'alert');
  dom.textContent = `Nothing was inserted: the text would have ${length.toLocaleString()} characters, and the editor takes at most ${MAX_CHARACTERS.toLocaleString()}.`;
  return dom;
}
