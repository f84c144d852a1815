/** What a `define` sends, and in which messages. */
import type { SavedQuery } from '#contract/queries/saved-query';
import type { AmendRequest, DefineRequest } from '../protocol/messages';

const MAX_PIECE_BYTES = 8 * 1024 * 1024;

export interface DefineInPieces {
  /** Sent before, in this order. */
  readonly amendments: readonly AmendRequest[];
  readonly define: DefineRequest;
}

/**
 * Splits the definitions, so that each message fits into a frame: there may be ten thousand large ones.
 *
 * @param maxBytes of the definitions in one message, as JSON; a larger one has a message of its own
 */
export function defineInPieces(request: DefineRequest, maxBytes = MAX_PIECE_BYTES): DefineInPieces {
  const pieces: SavedQuery[][] = [];
  let bytes = Infinity;
  for (const definition of request.stored) {
    const more = Buffer.byteLength(JSON.stringify(definition));
    if (bytes + more > maxBytes) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)!.push(definition);
    bytes += more;
  }
  if (pieces.length < 2) return { amendments: [], define: request };
  return {
    amendments: pieces.map((changed) => ({ changed, removed: [] })),
    define: { ...request, stored: [], sent: request.stored.map(({ id }) => id) },
  };
}

/** For a process after one that has compiled them: with hundreds, calls would wait for seconds until it had done so. */
export function onceCompiled({ definitions, stored, former }: DefineRequest): DefineRequest {
  return { definitions: [], stored: [...definitions, ...stored], former };
}
