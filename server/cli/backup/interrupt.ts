/** Ctrl-C of a command that can be continued: the first one stops it after its last step, the second one at once. */
const INTERRUPTED = 130;

/** @returns the exit code. @throws errors of the task, unless it was interrupted */
export async function untilInterrupted(task: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const abort = new AbortController();
  const onSignal = (): void => {
    if (abort.signal.aborted) process.exit(INTERRUPTED);
    abort.abort(new Error('stopped'));
  };
  process.on('SIGINT', onSignal);
  try {
    await task(abort.signal);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    console.log('stopped; run it again to continue');
    return INTERRUPTED;
  } finally {
    process.off('SIGINT', onSignal);
  }
}
