/** A request as the authorization server shall see it: sent to the issuer's own address, by whoever has really sent it. */

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import {
  authorizationServer,
  type LoopbackName,
  readLoopbackName,
} from '../../service/people/oauth/protected-resources.ts'
import type { Service } from '../../service/service.ts'

/** The name of this machine by which it was called; null by any other. */
export function calledAs(request: FastifyRequest): LoopbackName | null {
  return readLoopbackName(request.host)
}

/**
 * What the library takes for the address of this server and of the client is set here: the issuer's own, and the one that
 * Fastify found behind the trusted proxies. No header of a client has a say in it, but for which of the names of this
 * machine it is called by where it has no other. A slash at the end of a well-known address is none of its.
 */
export function toIssuer(service: Service, request: FastifyRequest): IncomingMessage {
  const { protocol, host, pathname } = new URL(authorizationServer(service.config, calledAs(request)))
  const { raw } = request
  Object.assign(raw.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': request.ip,
    'x-request-id': request.id,
  })
  const url = raw.url?.replace(/^(\/\.well-known\/[\w-]+)\/(?=$|\?)/, '$1')
  return Object.assign(raw, { url, baseUrl: pathname.replace(/\/$/, '') })
}
