/** `saved_view`: a name for the list of shipments or containers with its filters, order and columns. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { author } from '../audit/author-resource.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import { type SavedView, viewedLists } from './saved-views-sql.ts'

export interface SavedViewReading extends IdentifiedReading {
  readonly type: 'saved_view'
  readonly view: SavedView
}

export function readSavedView(view: SavedView): SavedViewReading {
  return { type: 'saved_view', id: view.id, view }
}

export const savedView: ResourceKind<SavedViewReading> = {
  type: 'saved_view',
  attributes: {
    name: schema.text(),
    table: schema.oneOf(viewedLists),
    query: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }),
    columns: schema.texts(),
    is_shared: Type.Boolean({ description: 'False: only the person who made it sees it.' }),
    created_by: author.attribute,
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {},
  write: ({ view }) => ({
    name: view.name,
    table: view.list,
    query: view.query,
    columns: view.columns,
    is_shared: view.ownerId === null,
    created_by: author.write(view.createdBy),
    created_at: view.createdAt,
    updated_at: view.updatedAt,
  }),
  link: () => ({}),
  self: ({ id }) => `/saved_views/${id}`,
  meta: { properties: lastChangedBy.properties, write: ({ view }) => lastChangedBy.write(view) },
}
