/** Saves bytes as a file of the reader. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has its own reference by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
