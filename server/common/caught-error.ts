/** What `catch` and `AbortSignal.reason` give: values of any type, mostly errors of Node.js. */

/** @returns the error itself; for any other value, an error with its text */
export function toError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(String(thrown));
}

/** @returns such as `ENOENT`; undefined for an error without a code */
export function errorCode(thrown: unknown): string | undefined {
  return textOf(thrown, 'code');
}

/** @returns the system call that failed; undefined for other errors */
export function failedCall(thrown: unknown): string | undefined {
  return textOf(thrown, 'syscall');
}

/** @returns the path that the system call was given */
export function failedPath(thrown: unknown): string | undefined {
  return textOf(thrown, 'path');
}

/** By its properties: a `DOMException` of another realm is no instance of this realm's `Error`. */
function isError(thrown: unknown): thrown is Error {
  return textOf(thrown, 'name') !== undefined && textOf(thrown, 'message') !== undefined;
}

function textOf(thrown: unknown, name: string): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' ? value : undefined;
}
