import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';

/** More layers of compression than this are an attack. */
const MOST_ENCODINGS = 2;
/** A compressed body that breaks off still gives what came before. */
const tolerant = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

function decoderOf(encoding: string): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(tolerant);
    case 'deflate':
      return zlib.createInflate(tolerant);
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new Error(`Unknown content encoding ${encoding}`);
  }
}

function decodersOf(response: IncomingMessage): Transform[] {
  const encodings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (encodings.length > MOST_ENCODINGS) throw new Error('Too many content encodings');
  return encodings.reverse().map(decoderOf);
}

/**
 * Reads a body, decompressed, up to `maxBytes`; nothing beyond them is kept or awaited. A body that breaks off is cut, not lost.
 * @throws when not one byte of it can be read; an AbortError
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      chunks.push(size + chunk.length > maxBytes ? Buffer.from(chunk.subarray(0, maxBytes - size)) : chunk);
      size += chunk.length;
      if (size > maxBytes) return;
    }
  };
  let broken = false;
  try {
    const [outer = new PassThrough(), inner = new PassThrough()] = decodersOf(response);
    await pipeline(response, outer, inner, collect, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (size === 0) throw error;
    broken = true;
  }
  return { body: Buffer.concat(chunks), cut: broken || size > maxBytes };
}
