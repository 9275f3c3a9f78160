/** /v2/share_links and /v2/share_links/:id: links by which people without an account see shipments. */

import type { FastifyInstance } from 'fastify'
import {
  createShareLink,
  getShareLink,
  listShareLinks,
  updateShareLink,
  withdrawShareLink,
} from '../../../../service/sharing/share-links.ts'
import { readShareLink } from '../../../documents/resources/sharing/share-link.ts'
import { readId } from '../../../http/path-id.ts'
import { origin, sendNothing, sendOne, sendPage } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { idFilter } from '../../asking/filters.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, nothingBack, operation, pageOf } from '../../description/operation.ts'
import {
  readNewShareLink,
  readShareLinkChanges,
  shareLinkBody,
  shareLinkChangesBody,
} from '../../inputs/share-link.ts'

const tag = 'Sharing'
const listQuery = defineQuery({
  type: 'share_link',
  filters: {
    shipmentId: idFilter('filter[shipment]', 'Id of the shipment that it shows.'),
    savedViewId: idFilter('filter[saved_view]', 'Id of the saved view that it shows.'),
  },
  orders: ['-created_at'],
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'share_link' })
const path = { id: 'Id of the share link.' }
const common = { tag, path, query: query.schema, answer: documentOf('share_link') }

export function shareLinks(app: FastifyInstance): void {
  app.get(
    '/v2/share_links',
    {
      schema: operation({
        id: 'listShareLinks',
        tag,
        summary: 'List share links, newest first',
        description: 'Expired links are listed too. The list does not show tokens.',
        query: listQuery.schema,
        answer: pageOf('share_link'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await listShareLinks(service, context, asked)
      const rows = page.rows.map((link) => readShareLink(link))
      return sendPage({ request, reply }, { page: { ...page, rows }, asked: asked.page, view: asked })
    },
  )

  app.post(
    '/v2/share_links',
    {
      schema: operation({
        id: 'createShareLink',
        tag,
        summary: 'Share a shipment or a saved view by a link',
        description: 'Only this answer contains `url` and `token`. Store them.',
        query: query.schema,
        body: shareLinkBody,
        status: 201,
        answer: documentOf('share_link'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const { link, token } = await createShareLink(service, context, readNewShareLink(request.body))
      const shown = { token, url: `${origin(request)}/shared/${token}` }
      return sendOne({ request, reply }, { data: readShareLink(link, shown), view, status: 201 })
    },
  )

  app.get(
    '/v2/share_links/:id',
    { schema: operation({ ...common, id: 'getShareLink', summary: 'Get a share link' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const link = await getShareLink(service, context, { id: readId(request.params, 'share link') })
      return sendOne({ request, reply }, { data: readShareLink(link), view })
    },
  )

  app.patch(
    '/v2/share_links/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateShareLink',
        summary: 'Change the expiry and the look of a share link',
        description: 'An expired link works again with a later `expires_at`.',
        body: shareLinkChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'share link')
      // Checks the link first: if it does not exist, that is the answer, whatever the body contains.
      await getShareLink(service, context, { id })
      const isCurrent = readIfCurrent(request)
      const changed = await updateShareLink(service, context, {
        id,
        ...readShareLinkChanges(request.body, id),
        ifCurrent: isCurrent && ((found) => isCurrent(readShareLink(found))),
      })
      return sendOne({ request, reply }, { data: readShareLink(changed), view })
    },
  )

  app.delete(
    '/v2/share_links/:id',
    {
      schema: operation({
        id: 'deleteShareLink',
        tag,
        summary: 'Withdraw a share link',
        description: 'The link stops working at once. Whoever opens it then gets 404.',
        path,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await withdrawShareLink(service, context, { id: readId(request.params, 'share link') })
      return sendNothing(reply)
    },
  )
}
