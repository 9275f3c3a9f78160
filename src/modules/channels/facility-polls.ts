/**
 * Lets terminals and railways be polled about the tracked containers of an account that come to them, each container at
 * its facility.
 */

import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import type { Db } from '../../db/database.ts'
import {
  type ContainerWithoutMilestones,
  type FacilityCoverage,
  type FacilityVisit,
  facilityVisitOf,
} from '../../domain/shipment/at-facility.ts'
import { addMs, earlierOf, laterOf } from '../../domain/values/time.ts'
import type { ShipmentOrRequest } from '../../pipeline/ingestion/listeners-sql.ts'
import {
  type ContainerToPoll,
  facilityChannels,
  findTrackedContainers,
  planContainerPolls,
} from '../../pipeline/terminal-polling/polled-containers-sql.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import type { InboundChannel } from './inbound-channels-sql.ts'

/** After this time it is checked again whether a container comes to a facility, to which one, and when. */
export const recheckMs = 86_400_000

type ChannelSpeaker = Pick<InboundChannel, 'source' | 'profile' | 'speakerKind'>

/**
 * Where a terminal or railway is located. Null for channels that are polled about everything: lines, and facilities
 * whose profile does not state a location.
 */
export function facilitySitesOf({ source, profile, speakerKind }: ChannelSpeaker): FacilityCoverage | null {
  if (speakerKind !== 'terminal' && speakerKind !== 'rail') return null
  return findPushedSource(source)?.findLocations?.(profile) ?? null
}

/**
 * Where and from when containers concern a terminal or railway. Of several trips of one container the earliest counts.
 */
export function findFacilityVisit(
  { speakerKind }: Pick<InboundChannel, 'speakerKind'>,
  facilitySites: FacilityCoverage,
  trackedContainers: readonly ContainerWithoutMilestones[],
): FacilityVisit | null {
  const speaker = speakerKind === 'rail' ? 'rail' : 'terminal'
  const concerns = trackedContainers.flatMap(
    (trackedContainer) => facilityVisitOf(speaker, facilitySites, trackedContainer) ?? [],
  )
  return concerns.toSorted((a, b) => ((a.from ?? '~') < (b.from ?? '~') ? -1 : 1))[0] ?? null
}

/**
 * When to poll: from the moment on at which the container concerns the facility. Before that moment it is checked again
 * in between.
 */
export function pollTimeOf({ from }: FacilityVisit, now: string): string {
  return laterOf(now, earlierOf(from ?? addMs(now, recheckMs), addMs(now, recheckMs)))
}

export function isDue({ from }: FacilityVisit, now: string): boolean {
  return from !== null && from <= now
}

/**
 * Returns how many containers are polled from now on at a terminal or railway, or at a different facility of it than
 * before.
 */
export async function planFacilityPolls(
  service: Service,
  db: Db,
  known: readonly ShipmentOrRequest[],
): Promise<number> {
  const shipments = known.filter(({ kind }) => kind === 'shipment')
  if (shipments.length === 0) return 0
  const accounts = [...new Set(shipments.map(({ accountId }) => accountId))]
  const channels = (await facilityChannels(db, accounts)).flatMap((channel) => {
    const facilitySites = facilitySitesOf(channel)
    return facilitySites === null ? [] : [{ channel, stands: facilitySites }]
  })
  if (channels.length === 0) return 0
  const trackedContainers = await findTrackedContainers(db, shipments)
  const byNumber = Map.groupBy(trackedContainers, ({ accountId, number }) => `${accountId} ${number}`)
  const wanted = channels.flatMap(({ channel, stands: facilitySites }) => {
    const { isSandbox, accountId } = channel
    const now = journeyNow(service, isSandbox)
    return [...byNumber.values()].flatMap((trips): readonly ContainerToPoll[] => {
      const [first] = trips
      if (first === undefined || first.isSandbox !== isSandbox || first.accountId !== accountId) return []
      const concern = findFacilityVisit(
        channel,
        facilitySites,
        trips.map(({ whereabouts }) => whereabouts),
      )
      if (concern === null) return []
      const waitMs = Date.parse(pollTimeOf(concern, now)) - Date.parse(now)
      const at = addMs(realNow(service), Math.ceil(waitMs / service.journeyClock(isSandbox).pace()))
      return [{ channelId: channel.id, number: first.number, facility: concern.facility, at }]
    })
  })
  return planContainerPolls(db, wanted)
}
