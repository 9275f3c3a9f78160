/** Whether one of our own pages made a request. Browsers state this in a header that no page can change. */

import type { FastifyRequest } from 'fastify'
import type { Service } from '../../modules/service.ts'

/**
 * False when the browser names another site, or none (as a sandboxed frame does). A client that sends neither header is
 * no current browser; then only its token is checked.
 */
export function isSameOrigin({ config }: Service, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  const { publicUrl } = config.server
  return (
    origin === `${request.protocol}://${request.host}` || (publicUrl !== null && origin === new URL(publicUrl).origin)
  )
}
