/** /v2/saved_views and /v2/saved_views/:id: named views of the lists of shipments and containers. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { choiceFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { newSavedView, savedViewChanges } from './saved-view-input.ts'
import { readSavedView } from './saved-view-resource.ts'
import { createSavedView, deleteSavedView, getSavedView, listSavedViews, updateSavedView } from './saved-views.ts'
import { savedViewOrders, viewedLists } from './saved-views-sql.ts'
import { checkViewQuery } from './view-query-input.ts'

const listQuery = defineQuery({
  type: 'saved_view',
  filters: { list: choiceFilter('filter[table]', viewedLists) },
  orders: savedViewOrders,
  isPaged: true,
  hasCursors: true,
})

export function savedViews(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'saved_view',
    tag: 'Saved views',
    path: '/v2/saved_views/:id',
    ids: { id: 'Id of the saved view.' },
    keyOf: makeIdReader('saved view'),
    read: readSavedView,
  })
  routes.page({
    id: 'listSavedViews',
    summary: 'List saved views by name',
    description: 'Lists the views of the account. A signed-in person also gets their own views.',
    query: listQuery,
    verb: listSavedViews,
  })
  routes.create({
    id: 'createSavedView',
    summary: 'Save a view of a list',
    description: 'Each parameter of `query` is checked by the rules of that list.',
    body: newSavedView,
    verb: async (service, context, input) => {
      await checkViewQuery({ service, context }, input)
      return createSavedView(service, context, input)
    },
  })
  routes.get({ id: 'getSavedView', summary: 'Get a saved view', verb: getSavedView })
  routes.change({
    id: 'updateSavedView',
    summary: 'Change a saved view',
    description: 'A new `query` replaces the whole old `query`.',
    get: getSavedView,
    body: savedViewChanges,
    verb: async (service, context, input, { list }) => {
      const { query } = input
      if (query !== undefined) await checkViewQuery({ service, context }, { list, query })
      return updateSavedView(service, context, input)
    },
  })
  routes.remove({
    id: 'deleteSavedView',
    summary: 'Delete a saved view',
    description: 'Its share links stop working.',
    verb: deleteSavedView,
  })
}
