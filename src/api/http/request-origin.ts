/** Where a request comes from, as the audit log stores it. */

import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Origin } from '../../modules/access/context.ts'

export function originOf(request: FastifyRequest): Origin {
  const agent = request.headers['user-agent']
  // Postgres texts cannot contain NUL, and an entry of the audit log must stay short.
  const userAgent = agent === undefined ? null : agent.replace(/[^\x20-\x7e]/g, '').slice(0, 300)
  // A proxy may forward a text that is no address, and a link-local address contains the name of its interface.
  const ip = request.ip?.replace(/%.*$/, '') ?? ''
  return { ip: isIP(ip) === 0 ? null : ip, userAgent }
}
