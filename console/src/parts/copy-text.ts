/** Copies a text to the clipboard. @returns false when the browser refuses: it allows that on secure pages only */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return false;
  return clipboard.writeText(text).then(
    () => true,
    () => false
  );
}
