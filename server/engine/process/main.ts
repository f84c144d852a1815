/** The engine process: handles the calls that arrive over the pipe of file descriptor 3, and ends with it. */
import { Socket } from 'node:net';
import { createEngineContext } from './context';
import { serveEngine } from './serve';

// DuckDB creates its database file, its write-ahead log (again at each checkpoint) and its spill files with the umask
// of the process.
process.umask(0o077);
serveEngine(new Socket({ fd: 3, readable: true, writable: true }), createEngineContext());
