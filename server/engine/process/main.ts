/** The engine process: handles the calls that arrive over the pipe of file descriptor 3, and ends with it. */
import { Socket } from 'node:net';
import { boundFullCollections } from '../../common/garbage-collection';
import { createEngineContext } from './context';
import { serveEngine } from './serve';

// DuckDB creates its database file, its write-ahead log (again at each checkpoint) and its spill files with the umask
// of the process.
process.umask(0o077);
const context = createEngineContext();
serveEngine(new Socket({ fd: 3, readable: true, writable: true }), {
  ...context,
  openStore: (options, events) => {
    // Not before: the build starts this program without a call, and what it records then is of use to a process with
    // the flags of its start alone.
    boundFullCollections();
    return context.openStore(options, events);
  },
});
