/** Sets up CodeMirror: keys, colors, completion and problems. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { forceLinting, linter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
} from '@codemirror/view';
import { completeTypedWord, completeWith, typedLast } from './complete';
import { boundText } from './bound-text';
import { colorTokens, recolor } from './color-tokens';
import { markReversing } from './mark-reversing';
import type { EditorSettings } from './settings';
import { THEME } from './theme';
import { offsetOf } from './validate-text';

/** A text is checked after this pause in typing. */
const CHECK_AFTER_MS = 400;

export function createEditor(parent: HTMLElement, text: string, settings: EditorSettings): EditorView {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const place = document.createElement('div');
  root.replaceChildren(place);
  const run = {
    key: 'Mod-Enter',
    run: () => {
      settings.onRun();
      return true;
    },
  };
  const extensions = [
    lineNumbers(),
    boundText,
    markReversing,
    history(),
    drawSelection(),
    rectangularSelection(),
    EditorState.allowMultipleSelections.of(true),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    typedLast,
    autocompletion({ override: [completeWith(settings)], icons: false, tooltipClass: () => 'completion' }),
    settings.validate === undefined ? [] : linter(checkWith(settings.validate), { delay: CHECK_AFTER_MS }),
    colorTokens(settings.language),
    keymap.of([
      run,
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': settings.label ?? 'Query text' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) settings.onChange(state.doc.toString());
    }),
    placeholder(settings.language() === 'yaml' ? 'name: …' : 'select … from …'),
    THEME,
  ];
  return new EditorView({ parent: place, root, state: EditorState.create({ doc: text, extensions }) });
}

function checkWith(validate: NonNullable<EditorSettings['validate']>) {
  let running = new AbortController();
  return async (view: EditorView) => {
    running.abort();
    running = new AbortController();
    const { doc } = view.state;
    const problems = await validate(doc.toString(), running.signal).catch(() => []);
    return problems.filter(({ to }) => to <= doc.length).map((problem) => ({ ...problem }));
  };
}

/** Colors, problems and completion follow a change of the language or of the tables. */
export function setLanguage(view: EditorView): void {
  view.dispatch({ effects: recolor.of(null) });
  forceLinting(view);
  completeTypedWord(view);
}

export function showPosition(view: EditorView, position: { readonly line: number; readonly column: number }): void {
  const anchor = offsetOf(view.state.doc.toString(), position);
  view.dispatch({ selection: { anchor }, scrollIntoView: true });
  view.focus();
}
