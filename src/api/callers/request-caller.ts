/** Who calls. The guard sets it once for every request that needs a key; the routes read it. */

import type { FastifyRequest } from 'fastify'
import type { Caller } from './caller.ts'

const name = 'caller'

export const callerDecorator = name

export function setCaller(request: FastifyRequest, caller: Caller): void {
  request.setDecorator<Caller | null>(name, caller)
}

/** Null when the route needs no key. */
export function findCaller(request: FastifyRequest): Caller | null {
  return request.getDecorator<Caller | null>(name)
}

/** Throws when the route needs no key: such a route has no caller. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = findCaller(request)
  if (caller === null) throw new Error(`no caller on ${request.routeOptions.url}`)
  return caller
}
