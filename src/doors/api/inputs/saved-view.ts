/** Bodies of saved views. */

import { Type } from '../../../platform/json-schema.ts'
import type { NewSavedView, SavedViewChanges } from '../../../service/sharing/saved-views.ts'
import { viewedLists } from '../../../store/tracking/saved-views.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const parametersMax = 50

const written = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  query: Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 2_000 },
    maxProperties: parametersMax,
    description:
      'Filters, `sort` and search of the list by the names of its parameters: `{"filter[status]": "in_transit", "sort": "pod_eta_at"}`.',
  }),
  columns: Type.Unsafe<readonly string[]>({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 100 },
    maxItems: 100,
    description: 'Names of columns in their order. Landfall only stores them.',
  }),
  is_shared: Type.Boolean({
    description:
      'True: the whole account sees it. If it is missing, only the person who creates the view sees it; a view that an API key creates is seen by the account.',
  }),
}

const newView = Type.Object(
  {
    name: written.name,
    table: Type.Unsafe<(typeof viewedLists)[number]>({ type: 'string', enum: viewedLists }),
    query: Type.Optional(written.query),
    columns: Type.Optional(written.columns),
    is_shared: Type.Optional(written.is_shared),
  },
  closed,
)
export const savedViewBody = bodyOf('saved_view', newView)
const changes = Type.Partial(Type.Object(written), closed)
export const savedViewChangesBody = bodyOf('saved_view', changes)

export function readNewSavedView(body: unknown): NewSavedView {
  const { table, query, columns, ...given } = readAttributes(body, {
    type: 'saved_view',
    id: null,
    attributes: newView,
    readOnly: readOnlyOf('saved_view', newView),
  })
  return { name: given.name, list: table, query: query ?? {}, columns: columns ?? [], ...sharing(given) }
}

/** Attributes that the body does not name are not changed. */
export function readSavedViewChanges(body: unknown, id: string): SavedViewChanges {
  const { is_shared, ...given } = readAttributes(body, {
    type: 'saved_view',
    id,
    attributes: changes,
    readOnly: readOnlyOf('saved_view', changes),
  })
  return { ...given, ...sharing({ is_shared }) }
}

function sharing(given: { readonly is_shared?: boolean | undefined }): Pick<NewSavedView, 'isShared'> {
  return given.is_shared === undefined ? {} : { isShared: given.is_shared }
}
