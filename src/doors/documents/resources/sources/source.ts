/** `source`: a channel through which an account gets news of its containers. */

import { Type } from 'typebox'
import { everyBoxTells } from '../../../../core/shown/milestone-gaps.ts'
import { sourceKinds } from '../../../../core/statements/observation.ts'
import {
  contradictionDays,
  type MilestonesTold,
  reasonsToRest,
  type SpentBudget,
  type WayIn,
} from '../../../../service/hearing/sources/list-sources.ts'
import { numberKinds } from '../../../../sources/source.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { recentAnswers, writeRecentAnswers } from '../parts/understanding.ts'

export interface SourceReading extends Identified {
  readonly type: 'source'
  readonly way: WayIn
}

export function readWayIn(way: WayIn): SourceReading {
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
        description:
          'Each question costs and the profile names no ceiling: this one is put there until it does.',
      }),
    },
    {
      description:
        'Requests that were sent today and this month (UTC), its limits (null: none) and its ceiling. Null where it is not asked, or is not this account’s own.',
    },
  ),
  schema.nothing(),
])

const milestones = schema.anyOf([
  schema.object(
    {
      boxes: Type.Integer({ minimum: 1, description: 'So many came back empty last.' }),
      known_share: Type.Number({ minimum: 0, maximum: 1, description: 'Whoever told.' }),
      own_share: Type.Number({ minimum: 0, maximum: 1, description: 'By the word of this way in.' }),
    },
    {
      description: `How complete the journeys of the line are: of ${everyBoxTells.length} milestones that every box has from gate to gate, the part that is known of boxes of this account that came back empty last (200 of all lines). Null of those that are no lines, and while there are none.`,
    },
  ),
  schema.nothing(),
])

function writeMilestones(told: MilestonesTold | null) {
  if (told === null) return null
  return { boxes: told.boxes, known_share: inHundredths(told.known), own_share: inHundredths(told.own) }
}

function inHundredths(share: number): number {
  return Math.round(share * 100) / 100
}

function writeBudget(spent: SpentBudget | null) {
  if (spent === null) return null
  const { today, month, rate, ceiling, isCeilingSupposed } = spent
  return {
    today,
    this_month: month,
    per_second: rate.perSecond ?? null,
    per_minute: rate.perMinute ?? null,
    per_hour: rate.perHour ?? null,
    per_day: rate.perDay ?? null,
    ceiling_per_day: ceiling.perDay ?? null,
    ceiling_per_month: ceiling.perMonth ?? null,
    ceiling_supposed: isCeilingSupposed,
  }
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1_000
}

export const source: ResourceKind<SourceReading> = {
  type: 'source',
  attributes: {
    name: schema.text({ description: 'Of the channel, else of the line.' }),
    speaker: schema.oneOf(sourceKinds, { description: 'Whose words come through it.' }),
    code: schema.text({
      description: 'Of the speaker: SCAC of a line or railway, FIRMS or SMDG code of a terminal.',
    }),
    language: schema.text({ description: 'In which it is read: `dcsa`, `cosco`, `x12`, `edifact` …' }),
    own: Type.Boolean({ description: 'It is this account’s own; else it is of the whole installation.' }),
    enabled: Type.Boolean(),
    asked: Type.Boolean({ description: 'Landfall asks.' }),
    told: Type.Boolean({ description: 'The speaker sends by itself.' }),
    asked_by: schema.list(schema.oneOf(numberKinds), { description: 'By which numbers it can be asked.' }),
    billed: Type.Boolean({ description: 'Each question costs.' }),
    verified: Type.Boolean({
      description:
        'The operator has seen it work with the speaker itself; until then how it answers is supposed.',
    }),
    verified_at: schema.instantOrNull({
      description: 'When it was seen to work; null where nobody has, or its profile says so itself.',
    }),
    last_heard_at: schema.instantOrNull({
      description: 'When it last told of something, in an answer or in a message; null while it has not.',
    }),
    left_alone_until: schema.instantOrNull({
      description: 'It is not asked until then; null when it may be asked now.',
    }),
    left_alone_because: schema.oneOfOrNull(reasonsToRest, {
      description:
        '`told_to`: it asked for it. `failing`: it failed whatever it was asked. `ceiling`: the requests of the day or month (UTC) are spent.',
    }),
    failures_in_a_row: Type.Integer({
      minimum: 0,
      description: 'How often it has failed since its last answer, whatever it was asked.',
    }),
    last_asked_at: schema.instantOrNull({ description: 'When the last request was let go; null before.' }),
    last_answered_at: schema.instantOrNull({
      description: 'When it last answered, also that there is nothing new, to the minute; null before.',
    }),
    answered_share: schema.numberOrNull({
      minimum: 0,
      maximum: 1,
      description:
        'Of the numbers that are asked about next (200 at most), the part whose last question brought an answer that could be read; null while none was asked.',
    }),
    answer_seconds: schema.numberOrNull({
      description: 'How long an answer takes: the median of `recent_answers`; null while there are none.',
    }),
    news_delay_seconds: schema.numberOrNull({
      description:
        'How long after an event it was told of: the median of events with a time of day and zone, in its newest ten answers, of what this account tracks; null while there are none.',
    }),
    contradictions: Type.Integer({
      minimum: 0,
      description: `How many of its statements another word overruled, of those that stood so in the last ${contradictionDays} days of this account's shipments: \`GET /v2/issues?filter[kind]=contradicted\` lists them.`,
    }),
    milestones,
    requests: budget,
    trouble: schema.textOrNull({
      description:
        'What was wrong when it was asked last, where it sends and is asked as well; null when nothing was.',
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
    asked: way.isAsked,
    told: way.isTold,
    asked_by: way.asksBy,
    billed: way.isBilled,
    verified: way.isVerified,
    verified_at: way.verifiedAt,
    last_heard_at: way.heardAt,
    left_alone_until: way.leftAloneUntil,
    left_alone_because: way.leftAloneBecause,
    failures_in_a_row: way.failures,
    last_asked_at: way.askedAt,
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
