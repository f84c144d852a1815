/** Shows characters that would make a text look other than it runs: a shared address may hold them. */
import { Decoration, EditorView, WidgetType } from '@codemirror/view';

/** They change the direction of what follows. */
const REVERSING = /[\u202a-\u202e\u2066-\u2069]/g;

class Mark extends WidgetType {
  toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'cm-specialChar';
    mark.textContent = '•';
    mark.title = 'A character that changes the direction of the text';
    return mark;
  }
}

const MARK = Decoration.replace({ widget: new Mark() });

export const markReversing = EditorView.decorations.compute(['doc'], ({ doc }) =>
  Decoration.set([...doc.toString().matchAll(REVERSING)].map(({ index }) => MARK.range(index, index + 1)))
);
