/** Bodies of saved views. */

import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody, defineCreateBody } from '../../api/request-body/resource-body.ts'
import { Type } from '../../platform/json-schema.ts'
import { savedView } from './saved-view-resource.ts'
import { viewedLists } from './saved-views-sql.ts'

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

const attributes = Type.Object(
  {
    name: written.name,
    table: Type.Unsafe<(typeof viewedLists)[number]>({ type: 'string', enum: viewedLists }),
    query: Type.Optional(written.query),
    columns: Type.Optional(written.columns),
    is_shared: Type.Optional(written.is_shared),
  },
  closed,
)

export const newSavedView = defineCreateBody(
  savedView,
  attributes,
  ({ table: list, query = {}, columns = [], ...given }) => ({ ...camelNames(given), list, query, columns }),
)
export const savedViewChanges = defineChangeBody(savedView, Type.Partial(Type.Object(written), closed), camelNames)
