/** /v2/imports/:id and its rows: the progress of an import, and the result of each row, as pages or as a table. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readId } from '../../api/http/path-parameters.ts'
import { describeOperation, documentAnswer, exportablePageOf } from '../../api/openapi/operation.ts'
import { choiceFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createOpenExports, sendPageOrExport } from '../../api/responses/export.ts'
import { formatFilter } from '../../api/responses/export-format.ts'
import { sendOne } from '../../api/responses/send.ts'
import type { Service } from '../service.ts'
import { readImport, readRow } from './import-resource.ts'
import { exportImportRows, getImport, listImportRows } from './import-table.ts'
import { type ImportRowReading, importRowStatuses } from './imports-sql.ts'

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
      schema: describeOperation({
        id: 'getImport',
        tag,
        summary: 'Get an import and its progress',
        path,
        query: query.schema,
        answer: documentAnswer('import'),
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
      schema: describeOperation({
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
          parameters: view,
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
