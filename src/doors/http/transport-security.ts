/** HSTS (RFC 6797): a browser that has come by https comes by nothing else for a year. Said only where TLS is known to be. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'

const header = 'strict-transport-security'
const value = 'max-age=31536000'

/** On every answer, also of libraries that write to the socket themselves. */
export function requireSecureTransport(app: FastifyInstance, config: Config): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isSecure(config, request)) reply.raw.setHeader(header, value)
    done()
  })
}

/** `protocol` is what a proxy says, where the proxy is trusted; of others it is not believed. */
function isSecure({ server }: Config, { protocol }: FastifyRequest): boolean {
  return protocol === 'https' || server.publicUrl?.startsWith('https:') === true
}
