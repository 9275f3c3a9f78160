/** /v2/scorecards/sources: how good each line, terminal and railroad was as a source; as JSON:API, NDJSON or CSV. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, exportablePageOf } from '../../api/openapi/operation.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createOpenExports, sendPageOrExport } from '../../api/responses/export.ts'
import { formatFilter } from '../../api/responses/export-format.ts'
import type { Service } from '../service.ts'
import { scoreSources } from './score-sources.ts'
import { readSourceScorecard, type SourceScorecardReading } from './source-scorecard-resource.ts'

const query = defineQuery({
  type: 'source_scorecard',
  filters: { format: formatFilter },
  orders: ['code'],
  isPaged: true,
})

export function sourceScorecards(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/scorecards/sources',
    {
      config: { hasExport: true },
      schema: describeOperation({
        id: 'listSourceScorecards',
        tag: 'Shipping lines',
        summary: 'List how good each carrier, terminal and railroad was as a source',
        description:
          'Which milestones of the journeys that ended last each source told, how soon, and how often it was wrong. Lines come first, then terminals and railroads.',
        query: query.schema,
        answer: exportablePageOf('source_scorecard'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const parameters = query.read(request)
      const read = async () => (await scoreSources(service, context)).map(readSourceScorecard)
      return sendPageOrExport(
        { request, reply },
        {
          type: 'source_scorecard',
          parameters,
          linked: [],
          steady: 'code',
          page: async () => {
            const all = await read()
            const { number, size } = parameters.page
            return { rows: all.slice((number - 1) * size, number * size), total: all.length }
          },
          rows: async () => inOneBatch(await read()),
        },
        streams,
      )
    },
  )
}

async function* inOneBatch(rows: readonly SourceScorecardReading[]): AsyncGenerator<readonly SourceScorecardReading[]> {
  yield rows
}
