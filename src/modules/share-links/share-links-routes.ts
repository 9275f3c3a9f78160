/** /v2/share_links and /v2/share_links/:id: links by which people without an account see shipments. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { idFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { originOfRequest } from '../../api/responses/send.ts'
import { newShareLink, shareLinkChanges } from './share-link-input.ts'
import { readShareLink } from './share-link-resource.ts'
import { createShareLink, getShareLink, listShareLinks, updateShareLink, withdrawShareLink } from './share-links.ts'

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

export function shareLinks(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'share_link',
    tag: 'Sharing',
    path: '/v2/share_links/:id',
    ids: { id: 'Id of the share link.' },
    keyOf: makeIdReader('share link'),
    read: readShareLink,
  })
  routes.page({
    id: 'listShareLinks',
    summary: 'List share links, newest first',
    description: 'Expired links are listed too. The list does not show tokens.',
    query: listQuery,
    verb: listShareLinks,
  })
  routes.createWithSecret({
    id: 'createShareLink',
    summary: 'Share a shipment or a saved view by a link',
    description: 'Only this answer contains `url` and `token`. Store them.',
    body: newShareLink,
    verb: createShareLink,
    read: ({ link, token }, request) =>
      readShareLink(link, { token, url: `${originOfRequest(request)}/shared/${token}` }),
  })
  routes.get({ id: 'getShareLink', summary: 'Get a share link', verb: getShareLink })
  routes.change({
    id: 'updateShareLink',
    summary: 'Change the expiry and the look of a share link',
    description: 'An expired link works again with a later `expires_at`.',
    get: getShareLink,
    body: shareLinkChanges,
    verb: updateShareLink,
  })
  routes.remove({
    id: 'deleteShareLink',
    summary: 'Withdraw a share link',
    description: 'The link stops working at once. Whoever opens it then gets 404.',
    verb: withdrawShareLink,
  })
}
