/** From where a request comes, as the audit log keeps it. */

import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Origin } from '../../service/context.ts'

export function originOf(request: FastifyRequest): Origin {
  const agent = request.headers['user-agent']
  // Postgres texts hold no NUL, and a line of the audit log needs no novel.
  const userAgent = agent === undefined ? null : agent.replace(/[^\x20-\x7e]/g, '').slice(0, 300)
  // A proxy may forward what is no address, and one of a single link carries the name of its interface.
  const ip = request.ip?.replace(/%.*$/, '') ?? ''
  return { ip: isIP(ip) === 0 ? null : ip, userAgent }
}
