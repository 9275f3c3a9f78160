/** `get_scorecard`: how good estimated arrivals were, by line, lane and days ahead; and what each source told. */

import { anyTime } from '../../db/listing/page.ts'
import { etaOutcomeKinds } from '../../domain/scorecards/eta-outcomes.ts'
import type { EtaScore } from '../../modules/scorecards/eta-scores-sql.ts'
import { listEtaScores } from '../../modules/scorecards/list-eta-scores.ts'
import { type SourceScorecard, scoreSources } from '../../modules/sources/score-sources.ts'
import { Type } from '../../platform/json-schema.ts'
import { fitRows } from '../lists/fit-rows.ts'
import { closed, oneOf } from '../tool/inputs.ts'
import { object, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const rowsMax = 100

export const getScorecard = defineTool({
  name: 'get_scorecard',
  title: 'Scorecard',
  about: 'How good ETAs and sources were',
  effect: 'read',
  input: Type.Object(
    {
      of: Type.Optional(oneOf(['etas', 'sources'], 'Of what')),
      shipping_line_scac: Type.Optional(Type.String()),
      kind: Type.Optional(oneOf(etaOutcomeKinds, 'Whose ETA')),
      by_lane: Type.Optional(Type.Boolean({ description: 'By ports' })),
    },
    closed,
  ),
  output: object({ rows: texts }),
  run: async (
    { service, context },
    { of = 'etas', shipping_line_scac: scac, kind = null, by_lane: isByLane = false },
  ) => {
    if (of === 'sources') {
      const cards = (await scoreSources(service, context)).filter(
        ({ code }) => !scac || code === scac.trim().toUpperCase(),
      )
      return makeResult(
        { rows: cutRows(cards.map(writeSource), cards.length) },
        {
          presentation:
            'Of the containers that came back empty last. A source without milestones is not known to be bad.',
          tools: ['list_containers'],
        },
      )
    }
    const { rows, total } = await listEtaScores(service, context, {
      scope: 'account',
      groups: [isByLane ? 'lane' : 'line'],
      filter: { ...everything, scac: scac?.trim().toUpperCase() || null, kind },
      page: { number: 1, size: rowsMax },
    })
    return makeResult(
      { rows: cutRows(rows.map(writeScore), total) },
      {
        presentation:
          'Say of how many estimates a figure is: few show little. Bias above 0: ships came later than told. No row means that it is not known.',
        followUps: total > rows.length ? ['Narrow it to one line or kind?'] : [],
        tools: ['list_shipments'],
      },
    )
  },
})

/** The last row says how many there are besides. */
function cutRows(rows: readonly string[], total: number): readonly string[] {
  const shown = fitRows(rows, 100)
  return total > shown.length ? [...shown, `${total - shown.length} more rows`] : shown
}

const everything = { pol: null, pod: null, polCountry: null, podCountry: null, daysAhead: null, arrivedAt: anyTime }

function writeScore(score: EtaScore): string {
  const { scac, pol, pod, polCountry, podCountry, rangeHeld, moved, meanMoveHours } = score
  const lane = pod ?? podCountry
  const name = [scac, lane && `${pol ?? polCountry ?? 'unknown'} to ${lane}`, score.kind].filter(Boolean).join(', ')
  const parts = [
    `${score.estimates} estimates`,
    `mean error ${score.meanErrorHours} h`,
    `median ${score.medianErrorHours} h`,
    `bias ${score.biasHours} h`,
    `${percent(score.withinDay)} within a day`,
    rangeHeld === null ? null : `${percent(rangeHeld)} within the told range`,
    moved === null ? null : `${percent(moved)} moved${meanMoveHours === null ? '' : ` by ${meanMoveHours} h`}`,
  ]
  return `${name}, ${score.daysAhead} or more days ahead: ${parts.filter((part) => part !== null).join('; ')}`
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

function writeSource({ kind, code, name, milestones, contradicted, changes, freeDays }: SourceScorecard): string {
  const told =
    milestones === null
      ? 'no journey has ended yet'
      : `${milestones.told} of ${milestones.known} milestones of ${milestones.containers} containers told; of ${milestones.timed} since tracking, ${milestones.within12h} within 12 h and ${milestones.within24h} within 24 h; ${milestones.corrected} corrected`
  const parts = [
    told,
    `${contradicted} overruled in 30 days`,
    freeDays === null
      ? null
      : `last free days of line and terminal agree for ${freeDays.agree} of ${freeDays.compared}`,
    changes.length === 0 ? null : `${changes.length} changes in its answers`,
  ]
  return `${name} (${kind} ${code}): ${parts.filter((part) => part !== null).join('; ')}`
}
