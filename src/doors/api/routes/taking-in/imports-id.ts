/** /v2/imports/:id and its rows: the progress of an import, and the result of each row, as pages or as a table. */

import type { FastifyInstance } from 'fastify'
import {
  exportImportRows,
  getImport,
  listImportRows,
} from '../../../../service/hearing/imports/import-table.ts'
import type { Service } from '../../../../service/service.ts'
import { type ImportRowReading, importRowStatuses } from '../../../../store/tracking/imports.ts'
import { readImport, readRow } from '../../../documents/resources/taking-in/import.ts'
import { readId } from '../../../http/path-id.ts'
import { sendOne } from '../../answering/answer.ts'
import { createOpenExports, sendPageOrExport } from '../../answering/export.ts'
import { formatFilter } from '../../answering/export-format.ts'
import { choiceFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, exportablePageOf, operation } from '../../description/operation.ts'

const tag = 'Imports'
const path = { id: 'Id of the import.' }
const query = defineQuery({ type: 'import' })
const rowsQuery = defineQuery({
  type: 'import_row',
  filters: { status: choiceFilter('filter[status]', importRowStatuses), format: formatFilter },
  orders: ['row_number'],
  isPaged: true,
})

export function importsId(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/imports/:id',
    {
      schema: operation({
        id: 'getImport',
        tag,
        summary: 'Get an import and its progress',
        path,
        query: query.schema,
        answer: documentOf('import'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const found = await getImport(service, context, { id: readId(request.params, 'import') })
      return sendOne({ request, reply }, { data: readImport(found), view })
    },
  )

  app.get(
    '/v2/imports/:id/rows',
    {
      config: { hasExport: true },
      schema: operation({
        id: 'listImportRows',
        tag,
        summary: 'List the results of the rows of an import, in the order of the file',
        description: '`format=csv` gives all rows as a table. No cell of it is a formula.',
        path,
        query: rowsQuery.schema,
        answer: exportablePageOf('import_row'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = rowsQuery.read(request)
      const id = readId(request.params, 'import')
      const { status } = view.filter
      const read = (each: readonly ImportRowReading[]) => each.map((row) => readRow(id, row))
      return sendPageOrExport(
        { request, reply },
        {
          type: 'import_row',
          asked: view,
          linked: [],
          steady: 'row_number',
          page: async () => {
            const page = await listImportRows(service, context, { id, status, page: view.page })
            return { ...page, rows: read(page.rows) }
          },
          rows: async () => {
            const batches = await exportImportRows(service, context, { id, status })
            return (async function* () {
              for await (const each of batches) yield read(each)
            })()
          },
        },
        streams,
      )
    },
  )
}
