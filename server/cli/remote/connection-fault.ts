/** Error code of a failed connection, such as ECONNREFUSED; fetch has it in the cause. */
export function connectionFault(error: unknown): string {
  for (let each = error; typeof each === 'object' && each !== null; each = 'cause' in each ? each.cause : null) {
    if ('code' in each && typeof each.code === 'string') return each.code;
    if ('name' in each && each.name === 'TimeoutError') return 'timeout';
  }
  return 'connection failed';
}
