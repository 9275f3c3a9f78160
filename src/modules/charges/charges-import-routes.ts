/** /v2/charge_terms/import and /v2/calendars/import: the table as it is. All its rows are imported, or none. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { Problem } from '../../api/errors/problem.ts'
import { examples } from '../../api/openapi/examples.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { booleanFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { tableRoutes, tableTypes } from '../../api/request-body/table-body.ts'
import { sendJsonApi } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { type ChargesImportResult, importCharges } from './import-charges.ts'

const filters = {
  isPreview: booleanFilter('dry_run', 'Nothing is recorded; the answer says what would change.'),
}
const whole = Type.Integer({ minimum: 0 })
const answer = schema.object(
  {
    meta: schema.object({
      dry_run: Type.Boolean(),
      versions: schema.list(
        schema.object({
          id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Null in a dry run.' }),
          code: schema.text(),
          version: Type.Integer({ minimum: 1 }),
          is_new: Type.Boolean({ description: 'False: the same version was already on record.' }),
        }),
      ),
      containers_checked: whole,
      containers_changed: Type.Integer({
        minimum: 0,
        description: 'Containers whose days up to sixty days ahead, or last free days, change.',
      }),
      is_complete: Type.Boolean({ description: 'False: there are more containers than were checked.' }),
    }),
  },
  { description: 'What was recorded, or would be.' },
)

const kinds = [
  {
    path: '/v2/charge_terms/import',
    table: 'charge_terms',
    type: 'charge_terms',
    id: 'importChargeTerms',
    tag: 'Charges',
    summary: 'Import charge terms from a table',
    rows: 'Each row is one version of terms; the headings are the names of the attributes.',
  },
  {
    path: '/v2/calendars/import',
    table: 'charge_calendars',
    type: 'calendar',
    id: 'importCalendars',
    tag: 'Charges',
    summary: 'Import calendars from a table',
    rows: 'Each row is one entry of a calendar: `code`, `entry`, `on`, `value`.',
  },
] as const

export function chargesImport(app: FastifyInstance): void {
  tableRoutes(app, (routes) => {
    for (const { path, table, type, id, tag, summary, rows } of kinds) {
      const query = defineQuery({ type, filters })
      const described = describeOperation({
        id,
        tag,
        summary,
        description: `CSV or XLSX. ${rows} All rows are recorded or none; each fault names its row and field, as \`/7/tiers\`. See \`docs/charges.md\`.`,
        query: query.schema,
        answer,
        refusals: [409, 413, 415, 422],
        never: [409],
      })
      const body = schema.text({ description: 'The table.', examples: [examples[id]] })
      routes.post(path, { schema: { ...described, consumes: [...tableTypes], body } }, async (request, reply) => {
        const { service, context } = callerOf(request)
        const isPreview = query.read(request).filter.isPreview ?? false
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const done = await importCharges(service, context, { table, bytes, isPreview })
        if (done.ok) return sendJsonApi(reply, writeImported(done, isPreview))
        throw new Problem(
          'invalid',
          done.faults.map(({ row, field, problem }) => ({
            detail: `Row ${row}: \`${field}\` ${problem}.`,
            source: { pointer: `/${row}/${field.replace(/~/g, '~0').replace(/\//g, '~1')}` },
          })),
        )
      })
    }
  })
}

function writeImported({ versions, containers }: ChargesImportResult, isPreview: boolean): object {
  return {
    meta: {
      dry_run: isPreview,
      versions: versions.map(({ id, code, version, isNew }) => ({ id, code, version, is_new: isNew })),
      containers_checked: containers.checked,
      containers_changed: containers.changed,
      is_complete: containers.isComplete,
    },
  }
}
