/**
 * Finds the shipments that a message concerns. After a delivery is committed, it finds them for each part. After a
 * shipment or request becomes known by a number, it finds the parts that wait for this number. Whichever of the two
 * commits second sees the other. The next step makes sure that each part is used only once.
 */

import { addDays } from '../../../core/values/time.ts'
import { askAbout } from '../../../store/channels/asked-numbers.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { askLinksOfShipments } from '../../../store/inbound/document-links.ts'
import { lockUnmatched, type MentionToMatch, markMatched } from '../../../store/inbound/inbound-messages.ts'
import {
  endJoins,
  findListeners,
  findWaiting,
  holdWaiting,
  type Join,
  type Listener,
  lockJoins,
} from '../../../store/inbound/listeners.ts'
import { noteWanted } from '../../../store/inbound/wanted-requests.ts'
import { enqueueMentions } from '../../../store/looks/tasks.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { askAtFacilities } from './at-facilities.ts'

/** A shipment that ended longer ago hears nothing new. */
const endedDaysMax = 30
const mentionsAtOnce = 100
const joinsAtOnce = 50

/** Returns how many parts of deliveries were matched. */
export function matchMentions(service: Service): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const mentions = await lockUnmatched(db, mentionsAtOnce)
    if (mentions.length === 0) return 0
    for (const mention of mentions) {
      const listeners = await listenersOf(service, db, mention)
      await pass(db, mention, listeners)
      if (listeners.length === 0) await noteUnknown(db, mention, realNow(service))
    }
    const at = journeyNow(service, false)
    await markMatched(db, { ids: mentions.map(({ id }) => id), at })
    await wake(db, 'tasks')
    return mentions.length
  })
}

/**
 * Returns how many shipments and requests were handled. From now on, channels that can be asked are asked about their
 * numbers.
 */
export function joinWaiting(service: Service): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const joins = await lockJoins(db, joinsAtOnce)
    if (joins.length === 0) return 0
    await askAbout(db, { known: joins, at: realNow(service) })
    await askAtFacilities(service, db, joins)
    const shipments = joins.filter(({ kind }) => kind === 'shipment')
    await askLinksOfShipments(db, { shipments, at: realNow(service) })
    await holdWaiting(db)
    for (const join of joins)
      for (const mention of await findWaiting(db, join)) {
        const listeners = await listenersOf(service, db, mention)
        await pass(
          db,
          mention,
          listeners.filter((listener) => isOf(join, listener)),
        )
      }
    await endJoins(db, joins)
    await wake(db, 'tasks')
    return joins.length
  })
}

function isOf({ accountId, id, kind }: Join, listener: Listener): boolean {
  if (listener.accountId !== accountId) return false
  return (kind === 'shipment' ? listener.shipmentId : listener.trackingRequestId) === id
}

export function listenersOf(
  service: Service,
  db: Db,
  mention: Pick<MentionToMatch, 'accountId' | 'about' | 'speakerKind' | 'speakerCode' | 'isFiction'>,
): Promise<readonly Listener[]> {
  const { accountId, about, speakerKind, speakerCode, isFiction } = mention
  const scac = speakerKind === 'shipping_line' ? speakerCode : null
  const endedSince = addDays(journeyNow(service, isFiction), -endedDaysMax)
  return findListeners(db, { accountId, isFiction, scac, about, endedSince })
}

/**
 * Nobody in the account knows the number. If the channel may make requests, notes that one is to be made for the first
 * number of the part.
 */
async function noteUnknown(db: Db, mention: MentionToMatch, at: string): Promise<void> {
  const { id: mentionId, channelId, accountId, createsRequests, about } = mention
  const [number] = about
  if (!createsRequests || accountId === null || number === undefined) return
  await noteWanted(db, { mentionId, channelId, accountId, ...number, at })
}

async function pass(db: Db, mention: MentionToMatch, listeners: readonly Listener[]): Promise<void> {
  const { id, subjectId, snapshotId } = mention
  await enqueueMentions(db, { mentionId: id, subjectId, snapshotId, listeners })
}
