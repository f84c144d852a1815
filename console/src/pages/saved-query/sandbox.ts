/** The sandbox: its editor and the tools of it, loaded when the token may use them. */
export { AdhocEditor } from '../../editor/adhoc-editor';
export { EditorTools } from './editor-tools';
