/** Shows characters that would make a text look other than it runs: a shared address may hold them. */
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import { REVERSING, REVERSING_TITLE } from '../texts/reversing';

class Mark extends WidgetType {
  toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'cm-specialChar';
    mark.textContent = '•';
    mark.title = REVERSING_TITLE;
    return mark;
  }
}

const MARK = Decoration.replace({ widget: new Mark() });

export const markReversing = EditorView.decorations.compute(['doc'], ({ doc }) =>
  Decoration.set([...doc.toString().matchAll(REVERSING)].map(({ index }) => MARK.range(index, index + 1)))
);
