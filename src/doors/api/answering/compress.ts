/**
 * Answers above a kilobyte go out as brotli or gzip to those that take it (RFC 9110, 12.5.3). The entity tag of the bytes
 * as they are sent names the coding, for a strong tag names bytes; it is taken back with and without.
 */

import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

const smallestBytes = 1_024
/** JSON of every kind, and the two exports. An event stream says little at a time, and at once. */
const compressed = /(?:\+|\/)json(?:;|$)|^application\/x-ndjson|^text\/csv/

/** Before the routes are added. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: smallestBytes,
    encodings: ['br', 'gzip'],
    customTypes: (type) => compressed.test(type),
    // What an export has written goes out, and does not wait until more has come.
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
      if (typeof coding === 'string' && typeof tag === 'string')
        reply.header('etag', tag.replace(/"$/, `-${coding}"`))
      done(null, payload)
    })
  })
}

/** A tag as it is without the coding that the bytes went out in. */
export function withoutCoding(tag: string): string {
  return tag.replace(/-(?:br|gzip)"$/, '"')
}
