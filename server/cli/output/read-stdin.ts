/** Reads standard input to its end. @throws Error beyond `MAX_BYTES` */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`Standard input is longer than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const MAX_BYTES = 64 * 1024 * 1024;
