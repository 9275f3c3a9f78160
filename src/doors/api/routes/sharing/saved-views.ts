/** /v2/saved_views and /v2/saved_views/:id: named views of the lists of shipments and containers. */

import type { FastifyInstance } from 'fastify'
import {
  createSavedView,
  deleteSavedView,
  getSavedView,
  listSavedViews,
  updateSavedView,
} from '../../../../service/sharing/saved-views.ts'
import { savedViewOrders, viewedLists } from '../../../../store/tracking/saved-views.ts'
import { readSavedView } from '../../../documents/resources/sharing/saved-view.ts'
import { readId } from '../../../http/path-id.ts'
import { sendNothing, sendOne, sendPage } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { choiceFilter } from '../../asking/filters.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, nothingBack, operation, pageOf } from '../../description/operation.ts'
import {
  readNewSavedView,
  readSavedViewChanges,
  savedViewBody,
  savedViewChangesBody,
} from '../../inputs/saved-view.ts'
import { checkViewQuery } from './stored-query.ts'

const tag = 'Saved views'
const listQuery = defineQuery({
  type: 'saved_view',
  filters: { list: choiceFilter('filter[table]', viewedLists) },
  orders: savedViewOrders,
  isPaged: true,
  hasCursors: true,
})
const query = defineQuery({ type: 'saved_view' })
const path = { id: 'Id of the saved view.' }
const common = { tag, path, query: query.schema, answer: documentOf('saved_view') }

export function savedViews(app: FastifyInstance): void {
  app.get(
    '/v2/saved_views',
    {
      schema: operation({
        id: 'listSavedViews',
        tag,
        summary: 'List saved views by name',
        description: 'Lists the views of the account. A signed-in person also gets their own views.',
        query: listQuery.schema,
        answer: pageOf('saved_view'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const asked = listQuery.read(request)
      const page = await listSavedViews(service, context, asked)
      return sendPage(
        { request, reply },
        { page: { ...page, rows: page.rows.map(readSavedView) }, asked: asked.page, view: asked },
      )
    },
  )

  app.post(
    '/v2/saved_views',
    {
      schema: operation({
        id: 'createSavedView',
        tag,
        summary: 'Save a view of a list',
        description: 'Each parameter of `query` is checked by the rules of that list.',
        query: query.schema,
        body: savedViewBody,
        status: 201,
        answer: documentOf('saved_view'),
      }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const view = query.read(request)
      const given = readNewSavedView(request.body)
      await checkViewQuery(caller, given)
      const made = await createSavedView(caller.service, caller.context, given)
      return sendOne({ request, reply }, { data: readSavedView(made), view, status: 201 })
    },
  )

  app.get(
    '/v2/saved_views/:id',
    { schema: operation({ ...common, id: 'getSavedView', summary: 'Get a saved view' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await getSavedView(service, context, { id: readId(request.params, 'saved view') })
      return sendOne({ request, reply }, { data: readSavedView(found), view })
    },
  )

  app.patch(
    '/v2/saved_views/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateSavedView',
        summary: 'Change a saved view',
        description: 'A new `query` replaces the whole old `query`.',
        body: savedViewChangesBody,
      }),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { service, context } = caller
      const view = query.read(request)
      const id = readId(request.params, 'saved view')
      // Checks the view first: if it does not exist, that is the answer, whatever the body contains.
      const { list } = await getSavedView(service, context, { id })
      const isCurrent = readIfCurrent(request)
      const changes = readSavedViewChanges(request.body, id)
      if (changes.query !== undefined) await checkViewQuery(caller, { list, query: changes.query })
      const changed = await updateSavedView(service, context, {
        id,
        ...changes,
        ifCurrent: isCurrent && ((found) => isCurrent(readSavedView(found))),
      })
      return sendOne({ request, reply }, { data: readSavedView(changed), view })
    },
  )

  app.delete(
    '/v2/saved_views/:id',
    {
      schema: operation({
        id: 'deleteSavedView',
        tag,
        summary: 'Delete a saved view',
        description: 'Its share links stop working.',
        path,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await deleteSavedView(service, context, { id: readId(request.params, 'saved view') })
      return sendNothing(reply)
    },
  )
}
