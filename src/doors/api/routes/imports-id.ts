/** /v2/imports/:id and its rows: how far an import is, and what became of each row, by page or as a table. */

import type { FastifyInstance } from 'fastify'
import { exportImportRows, getImport, listImportRows } from '../../../service/hearing/imports/import-table.ts'
import type { Service } from '../../../service/service.ts'
import { importRowStatuses } from '../../../store/imports.ts'
import { sendOne, sendPage } from '../answer.ts'
import { callerOf } from '../caller.ts'
import { createOpenExports, sendExport } from '../export.ts'
import { exportFormatOf, formatFilter } from '../export-format.ts'
import { choiceFilter } from '../filters.ts'
import { documentOf, exportablePageOf, operation } from '../operation.ts'
import { readId } from '../path-id.ts'
import { defineQuery } from '../query.ts'
import { readImport, readRow } from '../resources/import.ts'

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
  const held = createOpenExports(app, service)
  app.get(
    '/v2/imports/:id',
    {
      schema: operation({
        id: 'getImport',
        tag,
        summary: 'See how far an import is',
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
        summary: 'List what became of the rows of an import, in the order of the file',
        description: '`format=csv` is all of them as a table, in which no cell is a formula.',
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
      const format = exportFormatOf(request, view.filter.format)
      if (format !== null) {
        const rows = async () => {
          const batches = await exportImportRows(service, context, { id, status })
          return (async function* () {
            for await (const each of batches) yield each.map((row) => readRow(id, row))
          })()
        }
        return sendExport(
          { request, reply },
          { format, type: 'import_row', linked: [], view, rows, steady: 'row_number' },
          held,
        )
      }
      const page = await listImportRows(service, context, { id, status, page: view.page })
      const shown = { ...page, rows: page.rows.map((row) => readRow(id, row)) }
      return sendPage({ request, reply }, { page: shown, asked: view.page, view })
    },
  )
}
