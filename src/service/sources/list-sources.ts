/** The ways in of an account, each with what is known of it: verified or not, when it last told of something, how much is understood. */

import { compareInstants } from '../../core/time.ts'
import { type AnswerWindow, jumpAnswers } from '../../core/understanding.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { findSource } from '../../sources/registry.ts'
import type { Ability, NumberKind } from '../../sources/source.ts'
import { readLineReadings } from '../../store/line-readings.ts'
import { listSources, type SourceRow } from '../../store/read/sources.ts'
import { type Context, requireScope } from '../context.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'

export interface WayIn
  extends Pick<
    SourceRow,
    'id' | 'isOwn' | 'speakerKind' | 'speakerCode' | 'language' | 'isAsked' | 'isTold' | 'isEnabled'
  > {
  /** Of the channel, else of the line. */
  readonly name: string
  readonly asksBy: readonly NumberKind[]
  readonly isBilled: boolean
  readonly isVerified: boolean
  readonly verifiedAt: string | null
  readonly leftAloneUntil: string | null
  readonly trouble: string | null
  readonly heardAt: string | null
  /** What its newest answers were understood of; null where it is not asked, or has told of nothing yet. */
  readonly reading: AnswerWindow | null
}

export async function listWaysIn(service: Service, context: Context): Promise<readonly WayIn[]> {
  requireScope(context, 'read')
  const { account } = context
  const of = { accountId: account.id, isFiction: account.isFiction }
  const rows = await listSources(service.pool, of)
  const credentialIds = rows.filter(({ isAsked }) => isAsked).map(({ id }) => id)
  const readings = await readLineReadings(service.pool, { credentialIds, answers: jumpAnswers })
  const readingOf = new Map(readings.map(({ credentialId, now }) => [credentialId, now]))
  const now = realNow(service)
  return rows.map((row) => wayOf(row, { reading: readingOf.get(row.id) ?? null, now }))
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
  { reading, now }: { readonly reading: AnswerWindow | null; readonly now: string },
): WayIn {
  const { profile, leftAloneUntil: until, asksBy, ...known } = row
  const ability: Ability | null = row.isAsked ? (findSource(row.language)?.abilityOf(profile) ?? null) : null
  return {
    ...known,
    name: row.name ?? findShippingLine(row.speakerCode)?.name ?? row.speakerCode,
    asksBy: ability?.asksBy ?? asksBy,
    isAsked: row.isAsked || asksBy.length > 0,
    isBilled: ability?.isBilled ?? false,
    isVerified: ability?.isVerified === true || row.verifiedAt !== null,
    leftAloneUntil: until !== null && compareInstants(until, now) > 0 ? until : null,
    reading,
  }
}
