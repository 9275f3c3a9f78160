/** The address of this installation as the caller knows it. */

import type { FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'

/** The public URL that the operator configured; otherwise the address by which the client reached us. */
export function publicOrigin({ server }: Pick<Config, 'server'>, request: FastifyRequest): string {
  if (server.publicUrl !== null) return server.publicUrl
  const host = /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i.test(request.host) ? request.host : null
  return `${request.protocol}://${host ?? `${server.host}:${server.port}`}`
}
