/** `source`: a way in through which an account hears of its boxes. */

import { Type } from 'typebox'
import { sourceKinds } from '../../../core/observation.ts'
import type { WayIn } from '../../../service/sources/list-sources.ts'
import { numberKinds } from '../../../sources/source.ts'
import type { Identified, ResourceKind } from '../resource.ts'
import * as schema from '../schema.ts'
import { recentAnswers, writeRecentAnswers } from './understanding.ts'

export interface SourceReading extends Identified {
  readonly type: 'source'
  readonly way: WayIn
}

export function readWayIn(way: WayIn): SourceReading {
  return { type: 'source', id: way.id, way }
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
      description: 'It asked to be left alone, and is asked again then; null when it did not.',
    }),
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
    trouble: way.trouble,
    recent_answers: writeRecentAnswers(way.reading),
  }),
  link: () => ({}),
}
