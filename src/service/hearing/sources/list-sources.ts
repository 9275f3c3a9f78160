/**
 * The sources of an account. For each it is known whether it is verified, how well it answers, and how much of its
 * answers is understood.
 */

import { ceilingEndMs, isFailing, type RequestLimits, spentBy } from '../../../core/looking/request-budget.ts'
import { type AnswerWindow, jumpAnswers } from '../../../core/requests/understanding.ts'
import { everyBoxTells } from '../../../core/shown/milestone-gaps.ts'
import { addDays, compareInstants } from '../../../core/values/time.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { findSource } from '../../../sources/registry.ts'
import type { Ability, NumberKind } from '../../../sources/source.ts'
import { findToldSource } from '../../../sources/told-registry.ts'
import { readLineReadings } from '../../../store/looks/line-readings.ts'
import { readNewsDelays } from '../../../store/read/news-delays.ts'
import {
  countContradictions,
  countMilestones,
  type ToldMilestones,
} from '../../../store/read/source-quality.ts'
import { listSources, type SourceRow } from '../../../store/read/sources.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { noLimits } from '../pacing/count-requests.ts'

export const reasonsToRest = [
  /** The source asked for the pause. */
  'told_to',
  /** The source fails whatever it is asked about. */
  'failing',
  /** The maximum of requests for a day or a month is used up. */
  'ceiling',
] as const

/** How many requests were sent today and this month (UTC), and how many may be sent. */
export interface SpentBudget extends Pick<RequestLimits, 'rate' | 'ceiling'> {
  readonly isCeilingSupposed: boolean
  readonly today: number
  readonly month: number
}

/**
 * How much is known of the boxes of a line that came back empty last: shares of the milestones that every journey has,
 * 0 to 1.
 */
export interface MilestonesTold {
  readonly boxes: number
  /** Known from any source. */
  readonly known: number
  /** Known from this source itself. */
  readonly own: number
}

type Known =
  | 'id'
  | 'isOwn'
  | 'speakerKind'
  | 'speakerCode'
  | 'language'
  | 'isAsked'
  | 'isTold'
  | 'isEnabled'
  | 'failures'
  | 'answeredAt'
  | 'answeredShare'

export interface WayIn extends Pick<SourceRow, Known> {
  /** The name of the channel, else of the line. */
  readonly name: string
  readonly asksBy: readonly NumberKind[]
  readonly isBilled: boolean
  readonly isVerified: boolean
  readonly verifiedAt: string | null
  readonly leftAloneUntil: string | null
  /** Null if it may be asked. */
  readonly leftAloneBecause: (typeof reasonsToRest)[number] | null
  readonly trouble: string | null
  readonly heardAt: string | null
  /** How much of its newest answers was understood. Null when it is not asked, or when its answers said nothing yet. */
  readonly reading: AnswerWindow | null
  /** The median of how long those answers took; null without any. */
  readonly answerMs: number | null
  /**
   * The median of the time from an event until this source reported it, by what this account heard. Null while nothing
   * shows it.
   */
  readonly newsDelayMs: number | null
  /** How many of its statements of the last `contradictionDays` days were overruled by what another speaker said. */
  readonly contradictions: number
  /** Null for sources that are no lines, and while no box of the line has come back empty. */
  readonly milestones: MilestonesTold | null
  readonly askedAt: string | null
  /**
   * Null when it is not asked, and when other accounts ask through it as well: how busy they are is their own affair.
   */
  readonly budget: SpentBudget | null
}

export async function listWaysIn(service: Service, context: Context): Promise<readonly WayIn[]> {
  requireScope(context, 'read')
  const { account } = context
  const of = { accountId: account.id, isFiction: account.isFiction }
  const rows = await listSources(service.pool, of)
  const credentialIds = rows.filter(({ isAsked }) => isAsked).map(({ id }) => id)
  const readings = await readLineReadings(service.pool, { credentialIds, answers: jumpAnswers })
  const readingOf = new Map(readings.map((reading) => [reading.credentialId, reading]))
  const delays = await readNewsDelays(service.pool, { accountId: account.id, credentialIds })
  const since = addDays(journeyNow(service, account.isFiction), -contradictionDays)
  const contradicted = await countContradictions(service.pool, { accountId: account.id, since })
  const told = await countMilestones(service.pool, { accountId: account.id, names: everyBoxTells })
  const nowMs = Date.parse(realNow(service))
  return rows.map((row) => {
    const { now: reading = null, answerMs = null } = readingOf.get(row.id) ?? {}
    const newsDelayMs = delays.get(row.id) ?? null
    const contradictions = contradicted.get(row.id) ?? 0
    const milestones = milestonesOf(row, told)
    return { ...wayOf(row, nowMs), reading, answerMs, newsDelayMs, contradictions, milestones }
  })
}

export const contradictionDays = 30

function milestonesOf(
  { id, speakerKind, speakerCode }: SourceRow,
  told: readonly ToldMilestones[],
): MilestonesTold | null {
  const ofLine = told.find(({ scac }) => speakerKind === 'shipping_line' && scac === speakerCode)
  if (ofLine === undefined) return null
  const { boxes, known, own } = ofLine
  const all = boxes * everyBoxTells.length
  return { boxes, known: known / all, own: (own[id] ?? 0) / all }
}

export async function getWayIn(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<WayIn> {
  const found = (await listWaysIn(service, context)).find(({ id }) => id === input.id)
  if (found === undefined) throw notFound('source')
  return found
}

function wayOf(
  row: SourceRow,
  nowMs: number,
): Omit<WayIn, 'reading' | 'answerMs' | 'newsDelayMs' | 'contradictions' | 'milestones'> {
  const { profile, asking, spending, asksBy, ...known } = row
  const ability: Ability | null = row.isAsked ? (findSource(row.language)?.abilityOf(profile) ?? null) : null
  const isAsked = row.isAsked || asksBy.length > 0
  const {
    rate,
    ceiling,
    isCeilingSupposed = false,
  } = limitsOfWay({ language: row.language, profile, asking }) ?? noLimits
  const { today, month } = spentBy(spending, nowMs)
  return {
    ...known,
    name: row.name ?? findShippingLine(row.speakerCode)?.name ?? row.speakerCode,
    asksBy: ability?.asksBy ?? asksBy,
    isAsked,
    isBilled: ability?.isBilled ?? asking?.['isBilled'] === true,
    isVerified: ability?.isVerified === true || row.verifiedAt !== null,
    ...restOf(row, { nowMs, ceilingMs: ceilingEndMs(spending, ceiling, nowMs) }),
    askedAt: spending.lastMs === undefined ? null : new Date(spending.lastMs).toISOString(),
    budget: isAsked && row.isOwn ? { today, month, rate, ceiling, isCeilingSupposed } : null,
  }
}

/** Until when the source is not asked, and why. Of several reasons, the one that ends last. */
function restOf(
  { leftAloneUntil: until, failures, isAsked }: SourceRow,
  { nowMs, ceilingMs }: { readonly nowMs: number; readonly ceilingMs: number | null },
): Pick<WayIn, 'leftAloneUntil' | 'leftAloneBecause'> {
  const ceiling = ceilingMs === null ? null : new Date(ceilingMs).toISOString()
  const isLeftAlone = until !== null && Date.parse(until) > nowMs
  if (ceiling !== null && (!isLeftAlone || compareInstants(ceiling, until) >= 0))
    return { leftAloneUntil: ceiling, leftAloneBecause: 'ceiling' }
  if (!isLeftAlone) return { leftAloneUntil: null, leftAloneBecause: null }
  // A channel that sends and is asked as well counts each pause as a failure, also a pause that it asked for.
  return {
    leftAloneUntil: until,
    leftAloneBecause: !isAsked || isFailing(failures) ? 'failing' : 'told_to',
  }
}

/** How many requests a source may get. Null when there is no limit, or when its profile cannot be read. */
export function limitsOfWay({
  language,
  profile,
  asking,
}: Pick<SourceRow, 'language' | 'profile' | 'asking'>): RequestLimits | null {
  if (asking === null) return findSource(language)?.limitsOf(profile) ?? null
  const asked = findToldSource(language)?.asking
  return asked?.parseProfile(asking).ok === true ? asked.limitsOf(asking) : null
}
