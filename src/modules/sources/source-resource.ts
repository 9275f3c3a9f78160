/** `source`: a channel through which an account gets news of its containers. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { numberKinds } from '../../connectors/source.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { expectedMilestones } from '../../domain/view/projection.ts'
import { Type } from '../../platform/json-schema.ts'
import { contradictionDays } from './list-sources.ts'
import { type BudgetUsage, cooldownReasons, type MilestoneCounts, type SourceOverview } from './source-overview.ts'
import { recentAnswers, writeRecentAnswers } from './understanding-resource.ts'

export interface SourceReading extends IdentifiedReading {
  readonly type: 'source'
  readonly way: SourceOverview
}

export function readSource(way: SourceOverview): SourceReading {
  return { type: 'source', id: way.id, way }
}

const budget = schema.anyOf([
  schema.object(
    {
      today: Type.Integer({ minimum: 0 }),
      this_month: Type.Integer({ minimum: 0 }),
      per_second: schema.numberOrNull(),
      per_minute: schema.numberOrNull(),
      per_hour: schema.numberOrNull(),
      per_day: schema.numberOrNull(),
      ceiling_per_day: schema.numberOrNull(),
      ceiling_per_month: schema.numberOrNull(),
      ceiling_supposed: Type.Boolean({
        description: 'True: each poll costs money and the profile sets no ceiling, so Landfall uses this one.',
      }),
    },
    {
      description:
        'Requests that were sent today and this month (UTC), with the limits (null: no limit) and the ceiling. Null if the source is not polled, or if it does not belong to this account.',
    },
  ),
  schema.nothing(),
])

const milestones = schema.anyOf([
  schema.object(
    {
      boxes: Type.Integer({ minimum: 1, description: 'Number of containers that were counted.' }),
      known_share: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of milestones that are known from any source.',
      }),
      own_share: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of milestones that are known from this source.',
      }),
    },
    {
      description: `How complete the journeys of the carrier are. Every container has ${expectedMilestones.length} milestones from gate to gate; this is the share that is known for the containers of this account that were returned last (200 of all carriers). Null if the source is not a carrier, or if no container was returned yet.`,
    },
  ),
  schema.nothing(),
])

function writeMilestones(shares: MilestoneCounts | null) {
  if (shares === null) return null
  return {
    boxes: shares.containerCount,
    known_share: inHundredths(shares.known),
    own_share: inHundredths(shares.ownShare),
  }
}

function inHundredths(share: number): number {
  return Math.round(share * 100) / 100
}

function writeBudget(usage: BudgetUsage | null) {
  if (usage === null) return null
  const { today, month, rate, quota, isQuotaDefault: isQuotaAssumed } = usage
  return {
    today,
    this_month: month,
    per_second: rate.perSecond ?? null,
    per_minute: rate.perMinute ?? null,
    per_hour: rate.perHour ?? null,
    per_day: rate.perDay ?? null,
    ceiling_per_day: quota.perDay ?? null,
    ceiling_per_month: quota.perMonth ?? null,
    ceiling_supposed: isQuotaAssumed,
  }
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1_000
}

export const source: ResourceKind<SourceReading> = {
  type: 'source',
  attributes: {
    name: schema.text({ description: 'Name of the channel, or of the carrier if there is no channel.' }),
    speaker: schema.oneOf(sourceKinds, { description: 'Kind of the party that is the source.' }),
    code: schema.text({
      description: 'Code of the party: SCAC of a carrier or railway, FIRMS or SMDG code of a terminal.',
    }),
    language: schema.text({ description: 'Language of its data: `dcsa`, `cosco`, `x12`, `edifact` …' }),
    own: Type.Boolean({
      description: 'True: it belongs to this account. False: it belongs to the whole installation.',
    }),
    enabled: Type.Boolean(),
    asked: Type.Boolean({ description: 'True: Landfall asks it.' }),
    told: Type.Boolean({ description: 'True: the party sends by itself.' }),
    asked_by: schema.list(schema.oneOf(numberKinds), {
      description: 'Kinds of numbers with which the source can be polled.',
    }),
    billed: Type.Boolean({ description: 'True: each poll costs money.' }),
    verified: Type.Boolean({
      description:
        'True: the operator has tested it with the real party. Until then the form of its answers is an assumption.',
    }),
    verified_at: schema.instantOrNull({
      description: 'When it was tested. Null if nobody has, or if its profile itself states that it works.',
    }),
    last_heard_at: schema.instantOrNull({
      description: 'When its last answer or message with data came; null if there was none.',
    }),
    left_alone_until: schema.instantOrNull({
      description: 'The source is not polled until this time; null if it may be polled now.',
    }),
    left_alone_because: schema.oneOfOrNull(cooldownReasons, {
      description:
        '`told_to`: the source asked for a pause. `failing`: its last answers were failures. `ceiling`: the requests of the day or month (UTC) are used up.',
    }),
    failures_in_a_row: Type.Integer({
      minimum: 0,
      description: 'Number of failures since its last answer, for all numbers together.',
    }),
    last_asked_at: schema.instantOrNull({
      description: 'When the last request was sent; null if none was sent.',
    }),
    last_answered_at: schema.instantOrNull({
      description:
        'When it last answered, exact to the minute; an answer without news counts too. Null if it has not answered yet.',
    }),
    answered_share: schema.numberOrNull({
      minimum: 0,
      maximum: 1,
      description:
        'Of the numbers that are polled next (at most 200): the share whose last poll got a readable answer. Null if none was polled.',
    }),
    answer_seconds: schema.numberOrNull({
      description: 'Median time of an answer, in seconds, over `recent_answers`; null if there are none.',
    }),
    news_delay_seconds: schema.numberOrNull({
      description:
        'Median time from an event to the answer that reports it, in seconds. Counts events with a time of day and a zone in its newest ten answers about shipments of this account. Null if there are none.',
    }),
    contradictions: Type.Integer({
      minimum: 0,
      description: `Number of its statements about shipments of this account that a later statement, of another source or of its own, overruled in the last ${contradictionDays} days. \`GET /v2/issues?filter[kind]=contradicted\` lists them.`,
    }),
    milestones,
    requests: budget,
    trouble: schema.textOrNull({
      description:
        'For a source that sends by itself and is also polled: the fault of the last poll. Null if there was no fault.',
    }),
    recent_answers: recentAnswers,
  },
  relations: {},
  write: ({ way }) => ({
    name: way.name,
    speaker: way.speakerKind,
    code: way.speakerCode,
    language: way.language,
    own: way.isOwn,
    enabled: way.isEnabled,
    asked: way.isPolled,
    told: way.isPushed,
    asked_by: way.pollNumberKinds,
    billed: way.isBilled,
    verified: way.isVerified,
    verified_at: way.verifiedAt,
    last_heard_at: way.heardAt,
    left_alone_until: way.cooldownUntil,
    left_alone_because: way.cooldownReason,
    failures_in_a_row: way.failures,
    last_asked_at: way.polledAt,
    last_answered_at: way.answeredAt,
    answered_share: way.answeredShare === null ? null : inHundredths(way.answeredShare),
    answer_seconds: inSeconds(way.answerMs),
    news_delay_seconds: inSeconds(way.newsDelayMs),
    contradictions: way.contradictions,
    milestones: writeMilestones(way.milestones),
    requests: writeBudget(way.budget),
    trouble: way.trouble,
    recent_answers: writeRecentAnswers(way.reading),
  }),
  link: () => ({}),
}
