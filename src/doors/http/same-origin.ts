/** Whether a request was made by one of our own pages: browsers say so, and no page can make them say otherwise. */

import type { FastifyRequest } from 'fastify'
import type { Service } from '../../service/service.ts'

/**
 * False when the browser names another site (or none, which is what a sandboxed frame does). A client that says nothing
 * at all is no browser of today; what it sends is then held to its token alone.
 */
export function isOurOwnPage({ config }: Service, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  const { publicUrl } = config.server
  return (
    origin === `${request.protocol}://${request.host}` ||
    (publicUrl !== null && origin === new URL(publicUrl).origin)
  )
}
