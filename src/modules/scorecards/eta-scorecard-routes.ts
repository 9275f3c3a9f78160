/** /v2/scorecards/etas: how good the estimates of arrival were, and the estimates of which each figure is made. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, exportablePageOf, pageOf } from '../../api/openapi/operation.ts'
import { choiceFilter, countryFilter, listFilter, scacFilter, timeFilter } from '../../api/query/filters.ts'
import { placeFilter } from '../../api/query/list-filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createOpenExports, sendPageOrExport } from '../../api/responses/export.ts'
import { formatFilter } from '../../api/responses/export-format.ts'
import { sendPage } from '../../api/responses/send.ts'
import { etaOutcomeKinds } from '../../domain/scorecards/eta-outcomes.ts'
import type { Service } from '../service.ts'
import { readEtaOutcome, readEtaScore } from './eta-score-resource.ts'
import { daysAheadRows, type EtaScore, type EtaScoreFilter, etaScoreGroups } from './eta-scores-sql.ts'
import { listEtaOutcomes, listEtaScores, scorecardScopes } from './list-eta-scores.ts'

const filters = {
  scac: scacFilter('filter[scac]'),
  pol: placeFilter('filter[port_of_lading]', 'Port of lading'),
  pod: placeFilter('filter[port_of_discharge]', 'Port of discharge'),
  polCountry: countryFilter('filter[lading_country]'),
  podCountry: countryFilter('filter[discharge_country]'),
  kind: choiceFilter('filter[kind]', etaOutcomeKinds),
  daysAhead: choiceFilter('filter[days_ahead]', daysAheadRows.map(String)),
  arrivedAt: timeFilter('filter[arrived_at]'),
}
const query = defineQuery({
  type: 'eta_score',
  filters: {
    ...filters,
    groupBy: listFilter(
      'group_by',
      etaScoreGroups,
      '`line` (default), `lane`: the pair of ports, `countries`: the pair of countries, several of them separated by commas, or `none`. Each row is of one kind of estimate and one range of days ahead.',
    ),
    scope: choiceFilter('scope', scorecardScopes),
    format: formatFilter,
  },
  orders: ['days_ahead'],
  isPaged: true,
})
const outcomesQuery = defineQuery({ type: 'eta_outcome', filters, isPaged: true })
const tag = 'Scorecards'
const scoresMax = 100_000

export function scorecardsEtas(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/scorecards/etas',
    {
      config: { hasExport: true },
      schema: describeOperation({
        id: 'listEtaScores',
        tag,
        summary: 'List how good the estimated arrivals were',
        description:
          'Estimates of the arrival at the port of discharge that were told before the ship came. `scope=installation` answers for all accounts that share their figures, if at least five do; a row of fewer accounts is left out.',
        query: query.schema,
        answer: exportablePageOf('eta_score'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const parameters = query.read(request)
      const { groupBy, scope: given, format: _, ...filter } = parameters.filter
      const scope = given ?? 'account'
      const read = async (page: typeof parameters.page) => {
        const input = { scope, groups: groupBy ?? ['line'], filter: readFilter(filter), page } as const
        const scores = await listEtaScores(service, context, input)
        const pathOf = (score: EtaScore) => (scope === 'account' ? outcomesPath(request.query as Query, score) : null)
        return { ...scores, rows: scores.rows.map((score) => readEtaScore(score, pathOf(score))) }
      }
      return sendPageOrExport(
        { request, reply },
        {
          type: 'eta_score',
          parameters,
          linked: [],
          steady: 'days_ahead',
          page: () => read(parameters.page),
          rows: async () => {
            const { rows } = await read({ number: 1, size: scoresMax })
            return (async function* () {
              yield rows
            })()
          },
        },
        streams,
      )
    },
  )

  app.get(
    '/v2/scorecards/etas/outcomes',
    {
      schema: describeOperation({
        id: 'listEtaOutcomes',
        tag,
        summary: 'List how single estimated arrivals turned out, the latest arrival first',
        description: 'With the filters of `GET /v2/scorecards/etas`: the estimates of which its figures are made.',
        query: outcomesQuery.schema,
        answer: pageOf('eta_outcome'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const view = outcomesQuery.read(request)
      const input = { filter: readFilter(view.filter), page: view.page }
      const found = await listEtaOutcomes(service, context, input)
      const page = { ...found, rows: found.rows.map(readEtaOutcome) }
      return sendPage({ request, reply }, { page, pageRequest: view.page, view })
    },
  )
}

type Query = Readonly<Record<string, string>>

function readFilter({
  daysAhead,
  ...filter
}: Omit<EtaScoreFilter, 'daysAhead'> & { readonly daysAhead: string | null }): EtaScoreFilter {
  return { ...filter, daysAhead: daysAhead === null ? null : Number(daysAhead) }
}

/** The filters that were given, and what the row is of. Null for a lane of which a port is not known. */
function outcomesPath(given: Query, score: EtaScore): string | null {
  const isLaneUnknown = (score.pol === null) !== (score.pod === null)
  if (isLaneUnknown || (score.polCountry === null) !== (score.podCountry === null)) return null
  const row = {
    'filter[scac]': score.scac,
    'filter[port_of_lading]': score.pol,
    'filter[port_of_discharge]': score.pod,
    'filter[lading_country]': score.polCountry,
    'filter[discharge_country]': score.podCountry,
    'filter[kind]': score.kind,
    'filter[days_ahead]': String(score.daysAhead),
  }
  const filtered = Object.entries(given).filter(([name]) => name.startsWith('filter['))
  const known = Object.entries(row).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return `/v2/scorecards/etas/outcomes?${new URLSearchParams([...new Map([...filtered, ...known])])}`
}
