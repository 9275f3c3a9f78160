/** A request as the authorization server shall see it: sent to the issuer's own address, by whoever has really sent it. */

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { authorizationServer } from '../../service/access/protected-resources.ts'
import type { Service } from '../../service/service.ts'

/**
 * What the library takes for the address of this server and of the client is set here: the issuer's own, and the one that
 * Fastify found behind the trusted proxies. No header of a client has a say in it.
 */
export function toIssuer(service: Service, request: FastifyRequest): IncomingMessage {
  const { protocol, host, pathname } = new URL(authorizationServer(service.config))
  const { raw } = request
  Object.assign(raw.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': request.ip,
    'x-request-id': request.id,
  })
  return Object.assign(raw, { baseUrl: pathname.replace(/\/$/, '') })
}
