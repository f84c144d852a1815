/**
 * Loaded into a server that a script has started: when the script ends, however it ends, the server stops in good
 * order. The channel to the script must not keep the server alive by itself, hence `unref`.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
