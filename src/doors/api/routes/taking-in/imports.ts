/**
 * /v2/imports: takes a table as it is. Each row becomes a tracking request or statements, and each row has a result.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { parseEventTime } from '../../../../core/values/time.ts'
import {
  importTable,
  type Preview,
  previewImport,
  type SentTable,
} from '../../../../service/hearing/imports/import-table.ts'
import {
  fileReading,
  readImport,
  rowErrors,
  rowRead,
  writeReading,
  writeRowError,
} from '../../../documents/resources/taking-in/import.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { parameterFault } from '../../../http/problem.ts'
import { origin, send, sendOne } from '../../answering/answer.ts'
import { booleanFilter, filter, textFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { tableRoutes, tableTypes } from '../../bodies/table-body.ts'
import { callerOf } from '../../caller/caller.ts'
import { examples } from '../../description/examples.ts'
import { documentOf, operation } from '../../description/operation.ts'

const tag = 'Imports'
const ofReading = {
  map: textFilter('map', 'Name of a column map; without it columns go by their usual headings.'),
  sheet: textFilter('sheet', 'Name of the sheet of a workbook; the first that is not hidden when left out.'),
  scac: textFilter('scac', 'Line of the rows that name none; goes before what the map says.'),
  detectsLine: booleanFilter(
    'auto_detect_vocc_scac',
    'Rows without a line are tracked all the same: the line is found.',
  ),
  channel: textFilter(
    'channel',
    "Name of a channel of the account, of language `statements`: then the table is about containers, and its rows are the word of the channel's speaker. Without it each row asks for a tracking request.",
  ),
  writtenAt: filter(
    'written_at',
    Type.String({
      description: 'When a table about containers was drawn up: ISO 8601 date-time with its zone.',
    }),
    (text) => {
      // A bare `+` in a query arrives as a blank.
      const time = parseEventTime(text.trim().replace(/ (\d{2}:?\d{2})$/, '+$1'))
      if (time?.kind === 'instant') return time.at
      throw parameterFault('invalid', 'written_at', '`written_at` is an ISO 8601 date-time with its zone.')
    },
  ),
}
const query = defineQuery({
  type: 'import',
  filters: {
    ...ofReading,
    fileName: textFilter('file_name', 'Shown with the import.'),
    isRehearsal: booleanFilter('dry_run', 'Every row is checked as if it were made, and none is.'),
  },
})
const previewQuery = defineQuery({ type: 'import', filters: ofReading })

const preview = schema.object(
  {
    meta: schema.object({
      reading: fileReading,
      total: Type.Integer({ minimum: 0 }),
      readable: Type.Integer({
        minimum: 0,
        description: 'Rows that ask for something that could be tried, or say something.',
      }),
      rows: schema.list(
        schema.object({
          row_number: Type.Integer({ minimum: 1 }),
          request_type: schema.textOrNull(),
          request_number: schema.textOrNull(),
          scac: schema.textOrNull(),
          statements: schema.list(Type.Unsafe({ type: 'object' }), {
            description: 'What a row about a container says, as it would be sent. See `docs/sending.md`.',
          }),
          read: rowRead,
          errors: rowErrors,
        }),
        { description: 'The first 20.' },
      ),
    }),
  },
  { description: 'Nothing was written.' },
)

/** The body is the table itself. */
function withTable(described: ReturnType<typeof operation>, id: string) {
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
          operation({
            id: 'createImport',
            tag,
            summary: 'Track the numbers of a table, or take in what it says',
            description:
              'CSV or XLSX, 8 MB and 10,000 rows at most. The rows are made behind, as batches are: each counts as one in the limit on creating, and what is above it waits in order. With `channel` the table is about containers: what its rows say is taken in through that channel, like all that comes through it.',
            query: query.schema,
            status: 202,
            answer: documentOf('import'),
            refusals: [404, 409, 413, 415, 422],
          }),
          'createImport',
        ),
      },
      async (request, reply) => {
        const { service, context, run } = callerOf(request)
        const { filter, ...view } = query.read(request)
        const made = await importTable(service, context, {
          ...sentBy(request, filter),
          fileName: filter.fileName,
          isRehearsal: filter.isRehearsal ?? false,
          id: run?.id,
        })
        reply.header('location', `${origin(request)}/v2/imports/${made.id}`)
        return sendOne({ request, reply }, { data: readImport(made), view, status: 202 })
      },
    )

    routes.post(
      '/v2/imports/preview',
      {
        config: { isInSteps: true },
        schema: withTable(
          operation({
            id: 'previewImport',
            tag,
            summary: 'Show how a table would be read',
            description:
              'What each column is taken for, and the first rows. Nothing is written, and no line is asked.',
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
        return send(reply, writePreview(await previewImport(service, context, sentBy(request, filter))))
      },
    )
  })
}

type Asked = ReturnType<typeof previewQuery.read>['filter']

function sentBy({ body }: FastifyRequest, asked: Asked): SentTable {
  const { map, sheet, scac, detectsLine, channel, writtenAt } = asked
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
        const asked = (input ?? {}) as Readonly<Record<string, unknown>>
        return {
          row_number: rowNumber,
          request_type: asked['requestType'] ?? null,
          request_number: asked['requestNumber'] ?? null,
          scac: asked['scac'] ?? null,
          statements: asked['statements'] ?? [],
          read,
          errors: (errors ?? []).map((error) => writeRowError(error, numberField)),
        }
      }),
    },
  }
}
