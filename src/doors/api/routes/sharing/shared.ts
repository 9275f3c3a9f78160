/**
 * /v2/shared/:token: what a share link shows, for anybody who has it. It needs no key. Pages of other sites may read it
 * only where the link names them.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../../service/errors.ts'
import type { Service } from '../../../../service/service.ts'
import { keepBriefly } from '../../../../service/sharing/keep-briefly.ts'
import { type OpenShare, openShareLink } from '../../../../service/sharing/open-share-link.ts'
import { readShared, type ViewedRows } from '../../../../service/sharing/read-shared.ts'
import { onBehalfOf } from '../../../../store/account-share.ts'
import type { SavedView } from '../../../../store/tracking/saved-views.ts'
import {
  sharedSchema,
  writeShared,
  writeSharedShipments,
} from '../../../documents/resources/sharing/shared-document.ts'
import { timesWriter } from '../../../documents/shape/whole-times.ts'
import { json, jsonApi } from '../../../http/media-type.ts'
import { readPart } from '../../../http/path-id.ts'
import { Problem } from '../../../http/problem.ts'
import { sendText } from '../../answering/answer.ts'
import { refuseParameters } from '../../asking/query.ts'
import { operation } from '../../description/operation.ts'
import { readViewQuery } from './stored-query.ts'

const withTimes = timesWriter(sharedSchema)

export function shared(app: FastifyInstance, service: Service): void {
  app.get(
    '/v2/shared/:token',
    {
      config: { isOpen: true },
      // Before anything can fail, so that refusals have these headers too.
      onRequest: async (_request, reply) => {
        keepOut(reply)
      },
      schema: {
        ...operation({
          id: 'getShared',
          tag: 'Sharing',
          summary: 'Get what a share link shows',
          description: 'Needs no key. An unknown, a withdrawn and an expired token get the same answer.',
          path: { token: 'Token of the share link.' },
          answer: { description: 'What is shared.', content: { [json]: { schema: sharedSchema } } },
          never: [401, 403, 406],
        }),
        security: [],
        produces: [json, jsonApi],
      },
    },
    async (request, reply) => {
      refuseParameters(request)
      const share = await openShareLink(service, {
        token: readPart(request.params, 'token'),
        address: request.ip,
        requestId: request.id,
      })
      allowOrigin(request, reply, share)
      const text = await onBehalfOf(share.link.accountId, () => writeText(service, share))
      return sendText(reply.header('content-type', json), text)
    },
  )
}

/** No cache and no search engine keeps it, and links on the page do not send the token to other sites. */
function keepOut(reply: FastifyReply): void {
  reply.headers({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    vary: 'Origin',
  })
  // The operator's list of sites is for keys. Here the link alone says who may read.
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
}

function allowOrigin({ headers }: FastifyRequest, reply: FastifyReply, { link }: OpenShare): void {
  const { origin } = headers
  if (origin !== undefined && link.allowedOrigins.includes(origin))
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After' })
}

async function writeText(service: Service, share: OpenShare): Promise<string> {
  const { shipments, hasMore } = await keepBriefly(service, share, async () => {
    const content = await readShared(service, share, (view) => readView(service, share, view))
    return { shipments: writeSharedShipments(content), hasMore: content.hasMore }
  })
  const document = writeShared(share.link, shipments, hasMore)
  return JSON.stringify(withTimes?.(document) ?? document)
}

/** Null when the list would refuse the query today, for instance for a custom field that was deleted. */
async function readView(
  service: Service,
  { context }: OpenShare,
  view: SavedView,
): Promise<ViewedRows | null> {
  try {
    return await readViewQuery({ service, context }, view)
  } catch (error) {
    if (error instanceof Problem || error instanceof ServiceError) return null
    throw error
  }
}
