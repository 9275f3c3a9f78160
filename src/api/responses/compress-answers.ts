/**
 * Compresses answers above a kilobyte with brotli or gzip for clients that accept it (RFC 9110, 12.5.3). The entity tag
 * of a compressed answer names the coding, because a strong tag identifies the exact bytes. Tags that clients send back
 * are accepted with and without the coding.
 */

import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

const smallestBytes = 1_024
/**
 * JSON of every kind, and the two export formats. Not event streams: their pieces are small and must arrive at once.
 */
const compressed = /(?:\+|\/)json(?:;|$)|^application\/x-ndjson|^text\/csv/

/** Call this before the routes are added. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: smallestBytes,
    encodings: ['br', 'gzip'],
    customTypes: (type) => compressed.test(type),
    // Flushes what an export has written, so that it does not wait until more rows have been read.
    brotliOptions: {
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    },
    zlibOptions: { flush: constants.Z_SYNC_FLUSH },
  })
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? []].flat()
    route.onSend.push((_request, reply, payload, done) => {
      const [coding, tag] = [reply.getHeader('content-encoding'), reply.getHeader('etag')]
      if (typeof coding === 'string' && typeof tag === 'string') reply.header('etag', tag.replace(/"$/, `-${coding}"`))
      done(null, payload)
    })
  })
}

/** Removes the coding that `compressAnswers` added to a tag. */
export function withoutCoding(tag: string): string {
  return tag.replace(/-(?:br|gzip)"$/, '"')
}
