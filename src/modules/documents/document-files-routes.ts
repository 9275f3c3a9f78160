/**
 * The bytes behind a signed address of a document. Strangers made the file, so a browser saves it, and never shows or
 * runs it as a page of ours. It needs neither key nor cookie.
 */

import type { FastifyInstance } from 'fastify'
import { attachmentHeaders } from '../../api/http/attachment.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import type { Service } from '../service.ts'
import { openDownload } from './download-document.ts'

export function documentFiles(app: FastifyInstance, service: Service): void {
  app.get(
    '/rails/active_storage/blobs/:token',
    { config: { isOpen: true }, schema: { hide: true } },
    async (request, reply) => {
      const file = await openDownload(service, readPathParameter(request.params, 'token'))
      return reply.headers(attachmentHeaders(file)).send(file.bytes)
    },
  )
}
