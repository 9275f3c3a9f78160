/**
 * The sources of an account. For each it is known whether it is verified, how well it answers, and how much of its
 * answers is understood.
 */

import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import type { Ability } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { currentUsage, isFailing, quotaResetMs, type RequestLimits } from '../../domain/polling/request-budget.ts'
import { jumpAnswers } from '../../domain/tracking-requests/event-counts.ts'
import { addDays, compareInstants } from '../../domain/values/time.ts'
import { expectedMilestones } from '../../domain/view/projection.ts'
import { noLimits } from '../../pipeline/polling/count-requests.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { readLineReadings } from './line-readings-sql.ts'
import { listSources, type SourceRow } from './list-sources-sql.ts'
import { readNewsDelays } from './news-delays-sql.ts'
import { listFeedSources } from './position-feeds.ts'
import type { MilestoneCounts, SourceOverview } from './source-overview.ts'
import { countContradictions, countMilestones, type MilestoneCoverage } from './source-quality-sql.ts'

export async function listSourceOverviews(service: Service, context: Context): Promise<readonly SourceOverview[]> {
  requireScope(context, 'read')
  const { account } = context
  const of = { accountId: account.id, isSandbox: account.isSandbox }
  const rows = await listSources(service.pool, of)
  const credentialIds = rows.filter(({ isPolled }) => isPolled).map(({ id }) => id)
  const readings = await readLineReadings(service.pool, { credentialIds, answers: jumpAnswers })
  const readingOf = new Map(readings.map((reading) => [reading.credentialId, reading]))
  const delays = await readNewsDelays(service.pool, { accountId: account.id, credentialIds })
  const since = addDays(journeyNow(service, account.isSandbox), -contradictionDays)
  const contradicted = await countContradictions(service.pool, { accountId: account.id, since })
  const statedMilestones = await countMilestones(service.pool, {
    accountId: account.id,
    names: expectedMilestones,
  })
  const nowMs = Date.parse(realNow(service))
  const sources = rows.map((row) => {
    const { now: reading = null, answerMs = null } = readingOf.get(row.id) ?? {}
    const newsDelayMs = delays.get(row.id) ?? null
    const contradictions = contradicted.get(row.id) ?? 0
    const milestones = milestonesOf(row, statedMilestones)
    return { ...overviewOf(row, nowMs), reading, answerMs, newsDelayMs, contradictions, milestones }
  })
  return [...sources, ...(await listFeedSources(service, account.isSandbox))]
}

export const contradictionDays = 30

function milestonesOf(
  { id, speakerKind, speakerCode }: SourceRow,
  statedMilestones: readonly MilestoneCoverage[],
): MilestoneCounts | null {
  const ofLine = statedMilestones.find(({ scac }) => speakerKind === 'shipping_line' && scac === speakerCode)
  if (ofLine === undefined) return null
  const { boxes: containerCount, known, own: ownCounts } = ofLine
  const all = containerCount * expectedMilestones.length
  return { containerCount, known: known / all, ownShare: (ownCounts[id] ?? 0) / all }
}

export async function getSourceOverview(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<SourceOverview> {
  const found = (await listSourceOverviews(service, context)).find(({ id }) => id === input.id)
  if (found === undefined) throw notFound('source')
  return found
}

function overviewOf(
  row: SourceRow,
  nowMs: number,
): Omit<SourceOverview, 'reading' | 'answerMs' | 'newsDelayMs' | 'contradictions' | 'milestones'> {
  const { profile, asking: pollProfile, spending: usage, pollNumberKinds, ...known } = row
  const ability: Ability | null = row.isPolled ? (findSource(row.language)?.abilityOf(profile) ?? null) : null
  const isPolled = row.isPolled || pollNumberKinds.length > 0
  const {
    rate,
    quota,
    isQuotaDefault = false,
  } = limitsOfSource({ language: row.language, profile, asking: pollProfile }) ?? noLimits
  const { today, month } = currentUsage(usage, nowMs)
  return {
    ...known,
    name: row.name ?? findShippingLine(row.speakerCode)?.name ?? row.speakerCode,
    pollNumberKinds: ability?.supportedKinds ?? pollNumberKinds,
    isPolled,
    isBilled: ability?.isBilled ?? pollProfile?.['isBilled'] === true,
    isVerified: ability?.isVerified === true || row.verifiedAt !== null,
    ...cooldownOf(row, { nowMs, quotaEndMs: quotaResetMs(usage, quota, nowMs) }),
    polledAt: usage.lastMs === undefined ? null : new Date(usage.lastMs).toISOString(),
    budget: isPolled && row.isOwn ? { today, month, rate, quota, isQuotaDefault } : null,
  }
}

/** Until when the source is not polled, and why. Of several reasons, the one that ends last. */
function cooldownOf(
  { cooldownUntil: until, failures, isPolled }: SourceRow,
  { nowMs, quotaEndMs }: { readonly nowMs: number; readonly quotaEndMs: number | null },
): Pick<SourceOverview, 'cooldownUntil' | 'cooldownReason'> {
  const quotaEndsAt = quotaEndMs === null ? null : new Date(quotaEndMs).toISOString()
  const isCoolingDown = until !== null && Date.parse(until) > nowMs
  if (quotaEndsAt !== null && (!isCoolingDown || compareInstants(quotaEndsAt, until) >= 0))
    return { cooldownUntil: quotaEndsAt, cooldownReason: 'ceiling' }
  if (!isCoolingDown) return { cooldownUntil: null, cooldownReason: null }
  // A channel that sends and is also polled counts each cooldown as a failure, also a pause that it requested.
  return {
    cooldownUntil: until,
    cooldownReason: !isPolled || isFailing(failures) ? 'failing' : 'told_to',
  }
}

/** How many requests a source may get. Null when there is no limit, or when its profile cannot be read. */
export function limitsOfSource({
  language,
  profile,
  asking: pollProfile,
}: Pick<SourceRow, 'language' | 'profile' | 'asking'>): RequestLimits | null {
  if (pollProfile === null) return findSource(language)?.limitsOf(profile) ?? null
  const pollProtocol = findPushedSource(language)?.polling
  return pollProtocol?.parseProfile(pollProfile).ok === true ? pollProtocol.limitsOf(pollProfile) : null
}
