/** The engine process: answers the calls that come over the pipe of file descriptor 3, and ends with it. */
import { Socket } from 'node:net';
import { createEngineContext } from './context';
import { serveEngine } from './serve';

// DuckDB makes its file, its log (again at each checkpoint) and its spill files with the modes of the process.
process.umask(0o077);
serveEngine(new Socket({ fd: 3, readable: true, writable: true }), createEngineContext());
