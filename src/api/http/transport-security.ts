/**
 * HSTS (RFC 6797): a browser that has used https once uses only https for a year. The header is sent only if TLS is
 * surely in use.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'

const header = 'strict-transport-security'
const value = 'max-age=31536000'

/** Sets the header on every answer, also on those of libraries that write to the socket themselves. */
export function requireSecureTransport(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isSecure(config, request)) reply.raw.setHeader(header, value)
    done()
  })
}

/** Fastify reads `protocol` from the header of a proxy only if the proxy is trusted. */
function isSecure({ server }: Config, { protocol }: FastifyRequest): boolean {
  return protocol === 'https' || server.publicUrl?.startsWith('https:') === true
}
