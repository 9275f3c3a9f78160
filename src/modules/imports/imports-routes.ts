/**
 * /v2/imports: accepts a table as it is. Each row becomes a tracking request or statements, and each row has a result.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { parameterFault } from '../../api/errors/problem.ts'
import { examples } from '../../api/openapi/examples.ts'
import { describeOperation, documentAnswer } from '../../api/openapi/operation.ts'
import { booleanFilter, integerFilter, makeTextFilter, textFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { tableRoutes, tableTypes } from '../../api/request-body/table-body.ts'
import { originOfRequest, sendJsonApi, sendOne } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { Type } from '../../platform/json-schema.ts'
import { batchItemsMax } from '../tracking-requests/track-batch.ts'
import { fileReading, readImport, rowErrors, rowRead, writeReading, writeRowError } from './import-resource.ts'
import { importTable, type Preview, previewImport, type UploadedTable } from './import-table.ts'

const tag = 'Imports'
const ofReading = {
  map: textFilter('map', 'Name of a column map. Without it columns are found by their usual headings.'),
  sheet: textFilter('sheet', 'Name of the sheet of a workbook. If it is missing: the first sheet that is not hidden.'),
  scac: textFilter('scac', 'SCAC of the carrier for rows that name no carrier. It is used instead of that of the map.'),
  detectsLine: booleanFilter(
    'auto_detect_vocc_scac',
    'True: rows without a carrier are tracked too; Landfall finds the carrier.',
  ),
  channel: textFilter(
    'channel',
    'Name of a channel of the account with the language `statements`. Then the table is about containers, and its rows are statements of the party to which the channel belongs. Without it, each row creates a tracking request.',
  ),
  writtenAt: makeTextFilter(
    'written_at',
    Type.String({
      description: 'Time at which a table about containers was written: ISO 8601 date-time with its zone.',
    }),
    (text) => {
      // A bare `+` in a query arrives as a blank.
      const time = parseEventTime(text.trim().replace(/ (\d{2}:?\d{2})$/, '+$1'))
      if (time?.kind === 'instant') return time.at
      throw parameterFault('invalid', 'written_at', '`written_at` must be an ISO 8601 date-time with its zone.')
    },
  ),
}
const query = defineQuery({
  type: 'import',
  filters: {
    ...ofReading,
    fileName: textFilter('file_name', 'Shown with the import.'),
    isDryRun: booleanFilter('dry_run', 'True: every row is checked, and nothing is requested.'),
  },
})
const previewQuery = defineQuery({
  type: 'import',
  filters: {
    ...ofReading,
    rows: integerFilter('rows', {
      min: 1,
      max: batchItemsMax,
      fallback: 20,
      description: 'Maximum number of rows in the answer: the first ones.',
    }),
  },
})

const preview = schema.object(
  {
    meta: schema.object({
      reading: fileReading,
      total: Type.Integer({ minimum: 0 }),
      readable: Type.Integer({
        minimum: 0,
        description: 'Number of rows that can be tracked or that contain a statement.',
      }),
      rows: schema.list(
        schema.object({
          row_number: Type.Integer({ minimum: 1 }),
          request_type: schema.textOrNull(),
          request_number: schema.textOrNull(),
          scac: schema.textOrNull(),
          statements: schema.list(Type.Unsafe({ type: 'object' }), {
            description: 'The statements of a row about a container, in the form of `docs/sending.md`.',
          }),
          read: rowRead,
          errors: rowErrors,
        }),
        { description: 'The first ones, as many as `rows` allows.' },
      ),
    }),
  },
  { description: 'Nothing was written.' },
)

/** The body is the table itself. */
function withTable(described: ReturnType<typeof describeOperation>, id: string) {
  const body = schema.text({ description: 'The table.', examples: [examples[id]] })
  return { ...described, consumes: [...tableTypes], body }
}

export function imports(app: FastifyInstance): void {
  tableRoutes(app, (routes) => {
    routes.post(
      '/v2/imports',
      {
        config: { isInSteps: true },
        schema: withTable(
          describeOperation({
            id: 'createImport',
            tag,
            summary: 'Import a table: track its numbers, or send its statements to a channel',
            description:
              'CSV or XLSX, at most 8 MB and 10,000 rows. The rows are processed after the answer. Each row counts as one in the rate limit for creating; rows above the limit wait in order. With `channel` the table is about containers: its rows are statements that come through that channel.',
            query: query.schema,
            status: 202,
            answer: documentAnswer('import'),
            refusals: [404, 409, 413, 415, 422],
          }),
          'createImport',
        ),
      },
      async (request, reply) => {
        const { service, context, run } = callerOf(request)
        const { filter, ...view } = query.read(request)
        const made = await importTable(service, context, {
          ...readSentTable(request, filter),
          fileName: filter.fileName,
          isDryRun: filter.isDryRun ?? false,
          id: run?.id,
        })
        reply.header('location', `${originOfRequest(request)}/v2/imports/${made.id}`)
        return sendOne({ request, reply }, { data: readImport(made), view, status: 202 })
      },
    )

    routes.post(
      '/v2/imports/preview',
      {
        config: { isInSteps: true },
        schema: withTable(
          describeOperation({
            id: 'previewImport',
            tag,
            summary: 'Preview how a table is read',
            description:
              'Shows the meaning that each column gets, and the first rows. Nothing is stored, and no carrier is polled.',
            query: previewQuery.schema,
            answer: preview,
            refusals: [404, 409, 413, 415, 422],
          }),
          'previewImport',
        ),
      },
      async (request, reply) => {
        const { service, context } = callerOf(request)
        const { filter } = previewQuery.read(request)
        const { rows: limit } = filter
        const found = await previewImport(service, context, { ...readSentTable(request, filter), limit })
        return sendJsonApi(reply, writePreview(found))
      },
    )
  })
}

type PreviewFilter = Omit<ReturnType<typeof previewQuery.read>['filter'], 'rows'>

function readSentTable({ body }: FastifyRequest, previewFilter: PreviewFilter): UploadedTable {
  const { map, sheet, scac, detectsLine, channel, writtenAt } = previewFilter
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  return { bytes, fileName: null, map, sheet, scac, detectsLine, channel, writtenAt }
}

function writePreview({ reading, rowsTotal, readable, rows }: Preview): object {
  return {
    meta: {
      reading: writeReading(reading),
      total: rowsTotal,
      readable,
      rows: rows.map(({ rowNumber, input, read, numberField, errors }) => {
        const inputMembers = (input ?? {}) as Readonly<Record<string, unknown>>
        return {
          row_number: rowNumber,
          request_type: inputMembers['requestType'] ?? null,
          request_number: inputMembers['requestNumber'] ?? null,
          scac: inputMembers['scac'] ?? null,
          statements: inputMembers['statements'] ?? [],
          read,
          errors: (errors ?? []).map((error) => writeRowError(error, numberField)),
        }
      }),
    },
  }
}
