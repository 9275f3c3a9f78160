/**
 * /v2/shared/:token: what a share link shows, for anybody who has it. It needs no key. Pages of other sites may read it
 * only where the link names them.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../api/errors/problem.ts'
import { json, jsonApi } from '../../api/http/media-type.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { sendText } from '../../api/responses/send.ts'
import { timesWriter } from '../../api/shape/whole-times.ts'
import { onBehalfOf } from '../../db/account-shares.ts'
import { ServiceError } from '../errors.ts'
import type { SavedView } from '../saved-views/saved-views-sql.ts'
import { readViewQuery } from '../saved-views/view-query-input.ts'
import type { Service } from '../service.ts'
import { cacheBriefly } from './cache-briefly.ts'
import { openShareLink, type ShareAccess } from './open-share-link.ts'
import { readSharedContent, type ViewedRows } from './read-shared.ts'
import { sharedSchema, writeSharedContent, writeSharedShipments } from './shared-document-resource.ts'

const withTimes = timesWriter(sharedSchema)

export function sharedDocuments(app: FastifyInstance, service: Service): void {
  app.get(
    '/v2/shared/:token',
    {
      config: { isOpen: true },
      // Before anything can fail, so that refusals have these headers too.
      onRequest: async (_request, reply) => {
        preventCaching(reply)
      },
      schema: {
        ...describeOperation({
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
        token: readPathParameter(request.params, 'token'),
        address: request.ip,
        requestId: request.id,
      })
      allowOrigin(request, reply, share)
      const text = await onBehalfOf(share.link.accountId, () => writeSharedJson(service, share))
      return sendText(reply.header('content-type', json), text)
    },
  )
}

/** No cache and no search engine stores it, and links on the page do not send the token to other sites. */
function preventCaching(reply: FastifyReply): void {
  reply.headers({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    vary: 'Origin',
  })
  // The operator's list of sites is for keys. Here the link alone decides who may read.
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers')
}

function allowOrigin({ headers }: FastifyRequest, reply: FastifyReply, { link }: ShareAccess): void {
  const { origin } = headers
  if (origin !== undefined && link.allowedOrigins.includes(origin))
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After' })
}

async function writeSharedJson(service: Service, share: ShareAccess): Promise<string> {
  const { shipments, hasMore } = await cacheBriefly(service, share, async () => {
    const content = await readSharedContent(service, share, (view) => readView(service, share, view))
    return { shipments: writeSharedShipments(content), hasMore: content.hasMore }
  })
  const document = writeSharedContent(share.link, shipments, hasMore)
  return JSON.stringify(withTimes?.(document) ?? document)
}

/** Null when the list would refuse the query today, for instance for a custom field that was deleted. */
async function readView(service: Service, { context }: ShareAccess, view: SavedView): Promise<ViewedRows | null> {
  try {
    return await readViewQuery({ service, context }, view)
  } catch (error) {
    if (error instanceof Problem || error instanceof ServiceError) return null
    throw error
  }
}
