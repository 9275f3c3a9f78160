/** `share_link`: a link by which people without an account see one shipment, or what a saved view lists. */

import { type IdentifiedReading, identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { author } from '../audit/author-resource.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import type { ShareLink } from './share-links-sql.ts'

export interface ShareLinkReading extends IdentifiedReading {
  readonly type: 'share_link'
  readonly link: ShareLink
  /** Only where the link has just been made. */
  readonly revealed?: { readonly token: string; readonly url: string }
}

export function readShareLink(link: ShareLink, revealed?: ShareLinkReading['revealed']): ShareLinkReading {
  return { type: 'share_link', id: link.id, link, ...(revealed === undefined ? {} : { revealed }) }
}

const once = 'Only in the answer that creates the link; otherwise null.'

export const shareLink: ResourceKind<ShareLinkReading> = {
  type: 'share_link',
  attributes: {
    name: schema.text({ description: 'A name for you. People who open the link do not see it.' }),
    expires_at: schema.instant(),
    company_name: schema.textOrNull({ description: 'The name that the page shows.' }),
    color: schema.textOrNull({ description: 'The colour of the page, as `#1f6feb`.' }),
    allowed_origins: schema.texts({ description: 'Sites that may show it in a frame or fetch it.' }),
    url: schema.textOrNull({ format: 'uri', description: `The page for people. ${once}` }),
    token: schema.textOrNull({ description: `For \`/v2/shared/{token}\`. ${once}` }),
    created_by: author.attribute,
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: { shipment: toOne('shipment'), saved_view: toOne('saved_view') },
  write: ({ link, revealed }) => ({
    name: link.name,
    expires_at: link.expiresAt,
    company_name: link.companyName,
    color: link.color,
    allowed_origins: link.allowedOrigins,
    url: revealed?.url ?? null,
    token: revealed?.token ?? null,
    created_by: author.write(link.createdBy),
    created_at: link.createdAt,
    updated_at: link.updatedAt,
  }),
  link: ({ link }) => ({
    shipment: identifierOrNull('shipment', link.shipmentId),
    saved_view: identifierOrNull('saved_view', link.savedViewId),
  }),
  self: ({ id }) => `/share_links/${id}`,
  meta: {
    properties: {
      opened: Type.Integer({
        minimum: 0,
        description: 'Approximate number of times that the link was opened.',
      }),
      last_opened_at: schema.instantOrNull({ description: 'Exact to the minute.' }),
      ...lastChangedBy.properties,
    },
    write: ({ link }) => ({
      opened: link.openedCount,
      last_opened_at: link.lastOpenedAt,
      ...lastChangedBy.write(link),
    }),
  },
}
