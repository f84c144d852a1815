/** The note of a change without a body. A header is one byte for each character: the note is sent as UTF-8. */
export function noteHeader(note: string): Readonly<Record<string, string>> {
  const bytes = String.fromCharCode(...new TextEncoder().encode(note.trim()));
  return bytes === '' ? {} : { 'SVC-ENDPOINT-CHANGE-NOTE': bytes };
}
