/**
 * The scorecard of the sources of an account: what each line, terminal and railroad told of the journeys that ended
 * last, how soon, and how often it was wrong.
 */

import type { SourceKind } from '../../domain/statements/observation.ts'
import type { ShapeChange } from '../../domain/tracking-requests/answer-shape.ts'
import { addDays } from '../../domain/values/time.ts'
import { expectedMilestones } from '../../domain/view/projection.ts'
import { type Context, requireScope } from '../access/context.ts'
import { getShippingLines, type LineOfAccount } from '../carriers/list-shipping-lines.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { listShapeChanges } from '../sources/answer-shapes-sql.ts'
import { contradictionDays, listSourceOverviews } from '../sources/list-sources.ts'
import {
  compareFreeDays,
  countContradicted,
  countProvidedFields,
  countStatedMilestones,
  type FieldsOfLine,
  type FreeDaysOfPair,
  type MilestonesOfSource,
} from './source-scorecard-sql.ts'

export interface SourceScorecard {
  readonly kind: SourceKind
  readonly code: string
  readonly name: string
  /** Requests to it this month, through the accesses of the account; null where it is not polled. */
  readonly asked: number | null
  /** Of the numbers that are polled next, the share whose last poll got an answer; null where none was polled. */
  readonly answeredShare: number | null
  readonly milestones: MilestonesOfSource | null
  readonly contradicted: number
  /** What is new or missing in its answers, of the last days. */
  readonly changes: readonly ShapeChange[]
  /** The containers of which a line and a terminal have named a last free day: of this line, or of this terminal. */
  readonly freeDays: Omit<FreeDaysOfPair, 'scac' | 'terminal'> | null
  /** Null for sources that are no lines, and while no container of the line has come back empty. */
  readonly fields: FieldsOfLine | null
  /** The line whose fields these are. */
  readonly line: LineOfAccount | null
}

export const changeDays = 14
const speakers: readonly SourceKind[] = ['shipping_line', 'terminal', 'rail']

/** Lines first, then terminals and railroads, by code. */
export async function scoreSources(service: Service, context: Context): Promise<readonly SourceScorecard[]> {
  requireScope(context, 'read')
  const { pool } = service
  const { id: accountId, isSandbox } = context.account
  const milestones = await countStatedMilestones(pool, { accountId, names: expectedMilestones })
  const since = addDays(journeyNow(service, isSandbox), -contradictionDays)
  const contradicted = await countContradicted(pool, { accountId, since })
  const shapes = await listShapeChanges(pool, { accountId, since: addDays(realNow(service), -changeDays) })
  const freeDays = await compareFreeDays(pool, accountId)
  const fields = await countProvidedFields(pool, accountId)
  const lines = await getShippingLines(service, context, { scacs: fields.map(({ scac }) => scac) })
  const overviews = (await listSourceOverviews(service, context)).filter(({ speakerKind }) =>
    speakers.includes(speakerKind),
  )
  const keys = new Map(
    [
      ...overviews.map(({ speakerKind: kind, speakerCode: code }) => ({ kind, code })),
      ...milestones,
      ...contradicted.filter(({ kind }) => speakers.includes(kind)),
    ].map(({ kind, code }) => [`${speakers.indexOf(kind)} ${code}`, { kind, code }]),
  )
  return [...keys]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { kind, code }]) => {
      const is = (each: { readonly kind: SourceKind; readonly code: string }): boolean =>
        each.kind === kind && each.code === code
      const polled = overviews.filter((each) => each.speakerKind === kind && each.speakerCode === code)
      const shares = polled.flatMap(({ answeredShare }) => answeredShare ?? [])
      const counts = kind === 'shipping_line' ? fields.find(({ scac }) => scac === code) : undefined
      const line = lines.find((each) => each.line.scac === code)
      const budgets = polled.flatMap(({ budget }) => budget ?? [])
      return {
        kind,
        code,
        name: polled[0]?.name ?? code,
        asked: budgets.length === 0 ? null : budgets.reduce((sum, { month }) => sum + month, 0),
        answeredShare: shares.length === 0 ? null : Math.min(...shares),
        milestones: milestones.find(is) ?? null,
        contradicted: contradicted.find(is)?.count ?? 0,
        changes: shapes.flatMap((each) =>
          kind === 'shipping_line' && each.isSandbox === isSandbox && each.scac === code ? each.changes : [],
        ),
        freeDays: addPairs(
          freeDays.filter(
            (pair) => (kind === 'shipping_line' ? pair.scac : kind === 'terminal' ? pair.terminal : null) === code,
          ),
        ),
        fields: counts ?? null,
        line: line ?? null,
      }
    })
}

function addPairs(pairs: readonly FreeDaysOfPair[]): SourceScorecard['freeDays'] {
  if (pairs.length === 0) return null
  const sum = (name: 'compared' | 'agree' | 'lineEarlier' | 'terminalEarlier'): number =>
    pairs.reduce((total, pair) => total + pair[name], 0)
  return {
    compared: sum('compared'),
    agree: sum('agree'),
    lineEarlier: sum('lineEarlier'),
    terminalEarlier: sum('terminalEarlier'),
  }
}
