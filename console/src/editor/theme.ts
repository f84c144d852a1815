/** Look of the editor, with the colors of the page: custom properties reach into the shadow tree. */
import { EditorView } from '@codemirror/view';

export const THEME = EditorView.theme({
  '&': { backgroundColor: 'var(--field)', color: 'var(--text)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.5',
    maxHeight: 'var(--editor-height, 40vh)',
    minHeight: '5.5em',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--field)', color: 'var(--text-soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--row)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--match)' },
  '.cm-matchingBracket': { outline: '1px solid var(--text-soft)' },
  '.cm-placeholder': { color: 'var(--text-soft)' },
  '.cm-panels, .cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--text)',
    borderColor: 'var(--line)',
  },
  '.cm-tooltip': { border: '1px solid var(--line)', borderRadius: '4px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--main)', color: 'var(--on-main)' },
  '.cm-completionInfo': { whiteSpace: 'pre-wrap', maxWidth: '26em' },
  '.cm-completionDetail': { color: 'inherit', opacity: '0.75' },
  '.refused': { padding: '0.3rem 0.6rem', color: 'var(--bad)' },
  '.cm-panel input, .cm-panel button': { font: 'inherit', color: 'inherit', backgroundColor: 'var(--field)' },
  '.token-keyword': { color: 'var(--token-keyword)' },
  '.token-function': { color: 'var(--token-function)' },
  '.token-string': { color: 'var(--token-string)' },
  '.token-number, .token-period': { color: 'var(--token-number)' },
  '.token-name, .token-variable': { color: 'var(--token-name)' },
  '.token-comment': { color: 'var(--text-soft)', fontStyle: 'italic' },
  '.token-unknown': { textDecoration: 'underline wavy var(--bad)' },
});
