/**
 * The bytes behind a signed address of a document. Strangers made the file, so a browser saves it, and never shows or
 * runs it as a page of ours. It needs neither key nor cookie.
 */

import type { FastifyInstance } from 'fastify'
import { openDownload } from '../../../../service/documents/shown/download-document.ts'
import type { Service } from '../../../../service/service.ts'
import { attachmentHeaders } from '../../../http/attachment.ts'
import { readPart } from '../../../http/path-id.ts'

export function documentFiles(app: FastifyInstance, service: Service): void {
  app.get(
    '/rails/active_storage/blobs/:token',
    { config: { isOpen: true }, schema: { hide: true } },
    async (request, reply) => {
      const file = await openDownload(service, readPart(request.params, 'token'))
      return reply.headers(attachmentHeaders(file)).send(file.bytes)
    },
  )
}
