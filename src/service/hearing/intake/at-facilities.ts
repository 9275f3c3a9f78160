/**
 * Has terminals and railways asked about the tracked boxes of an account that come to them, each box at its facility.
 */

import { type Concern, concernOf, type Stands, type Whereabouts } from '../../../core/shipment/at-facility.ts'
import { addMs, earlierOf, laterOf } from '../../../core/values/time.ts'
import { findToldSource } from '../../../sources/told-registry.ts'
import {
  askBoxes,
  type BoxToAsk,
  facilityChannels,
  trackedBoxes,
} from '../../../store/channels/asked-boxes.ts'
import type { ToldChannel } from '../../../store/channels/channels.ts'
import type { Db } from '../../../store/database.ts'
import type { Join } from '../../../store/inbound/listeners.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'

/** After this time it is checked again whether a box comes to a facility, to which one, and when. */
export const lookAgainMs = 86_400_000

type Speaking = Pick<ToldChannel, 'source' | 'profile' | 'speakerKind'>

/**
 * Where a terminal or railway stands. Null for channels that are asked about everything: lines, and facilities whose
 * profile does not say where they stand.
 */
export function standsOf({ source, profile, speakerKind }: Speaking): Stands | null {
  if (speakerKind !== 'terminal' && speakerKind !== 'rail') return null
  return findToldSource(source)?.standsOf?.(profile) ?? null
}

/** Where and from when boxes concern a terminal or railway. Of several trips of one box the earliest counts. */
export function findConcern(
  { speakerKind }: Pick<ToldChannel, 'speakerKind'>,
  stands: Stands,
  boxes: readonly Whereabouts[],
): Concern | null {
  const speaker = speakerKind === 'rail' ? 'rail' : 'terminal'
  const concerns = boxes.flatMap((box) => concernOf(speaker, stands, box) ?? [])
  return concerns.toSorted((a, b) => ((a.from ?? '~') < (b.from ?? '~') ? -1 : 1))[0] ?? null
}

/**
 * When to ask: from the moment on at which the box concerns the facility. Before that moment it is checked again in
 * between.
 */
export function askAtOf({ from }: Concern, now: string): string {
  return laterOf(now, earlierOf(from ?? addMs(now, lookAgainMs), addMs(now, lookAgainMs)))
}

export function isDue({ from }: Concern, now: string): boolean {
  return from !== null && from <= now
}

/**
 * Returns how many boxes are asked about from now on at a terminal or railway, or at another of its facilities than
 * before.
 */
export async function askAtFacilities(service: Service, db: Db, known: readonly Join[]): Promise<number> {
  const shipments = known.filter(({ kind }) => kind === 'shipment')
  if (shipments.length === 0) return 0
  const accounts = [...new Set(shipments.map(({ accountId }) => accountId))]
  const channels = (await facilityChannels(db, accounts)).flatMap((channel) => {
    const stands = standsOf(channel)
    return stands === null ? [] : [{ channel, stands }]
  })
  if (channels.length === 0) return 0
  const boxes = await trackedBoxes(db, shipments)
  const byNumber = Map.groupBy(boxes, ({ accountId, number }) => `${accountId} ${number}`)
  const wanted = channels.flatMap(({ channel, stands }) => {
    const { isFiction, accountId } = channel
    const now = journeyNow(service, isFiction)
    return [...byNumber.values()].flatMap((trips): readonly BoxToAsk[] => {
      const [first] = trips
      if (first === undefined || first.isFiction !== isFiction || first.accountId !== accountId) return []
      const concern = findConcern(
        channel,
        stands,
        trips.map(({ whereabouts }) => whereabouts),
      )
      if (concern === null) return []
      const waitMs = Date.parse(askAtOf(concern, now)) - Date.parse(now)
      const at = addMs(realNow(service), Math.ceil(waitMs / service.journeyClock(isFiction).pace()))
      return [{ channelId: channel.id, number: first.number, facility: concern.facility, at }]
    })
  })
  return askBoxes(db, wanted)
}
