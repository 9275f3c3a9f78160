/**
 * Prepares a request for the authorization server, as if it had been sent to the issuer's own address, with the real
 * client's IP address.
 */

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { authorizationServer, type LoopbackName, readLoopbackName } from '../modules/oauth-apps/protected-resources.ts'
import type { Service } from '../modules/service.ts'

/** The loopback name by which this server was called; null for any other name. */
export function calledAs(request: FastifyRequest): LoopbackName | null {
  return readLoopbackName(request.host)
}

/**
 * Sets the headers from which the library reads the address of this server (the issuer's own) and of the client (the
 * one that Fastify found behind the trusted proxies). No header of a client has an influence, with one exception: the
 * loopback name, if the server has no other. A slash at the end of a well-known address is removed.
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
