/**
 * Finds the shipments that a message concerns. After a delivery is committed, it finds them for each message part.
 * After a shipment or request becomes known by a number, it finds the message parts that wait for this number.
 * Whichever of the two commits second sees the other. The next step makes sure that each part is used only once.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { addDays } from '../../domain/values/time.ts'
import { planFacilityPolls } from '../../modules/channels/facility-polls.ts'
import { requestShipmentLinks } from '../../modules/documents/document-links-sql.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { planNumberPolls } from '../terminal-polling/polled-numbers-sql.ts'
import { lockUnmatched, type MentionToMatch, markMatched } from './inbound-messages-sql.ts'
import { enqueueMentions } from './ingest-tasks-sql.ts'
import {
  deleteNewListeners,
  findListeners,
  findWaitingMentions,
  type Listener,
  lockNewListeners,
  preventMentionExpiry,
  type ShipmentOrRequest,
} from './listeners-sql.ts'
import { insertWantedRequest } from './wanted-requests-sql.ts'

/** A shipment that ended longer ago ingests nothing new. */
const endedDaysMax = 30
const mentionsAtOnce = 100
const joinsAtOnce = 50

/** Returns how many message parts were matched. */
export function matchMentions(service: Service): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const mentions = await lockUnmatched(db, mentionsAtOnce)
    if (mentions.length === 0) return 0
    for (const mention of mentions) {
      const listeners = await listenersOf(service, db, mention)
      await enqueueMention(db, mention, listeners)
      if (listeners.length === 0) await recordUnknownNumber(db, mention, realNow(service))
    }
    const at = journeyNow(service, false)
    await markMatched(db, { ids: mentions.map(({ id }) => id), at })
    wakeWorkers(db, 'tasks')
    return mentions.length
  })
}

/**
 * Returns how many shipments and requests were handled. From now on, channels that can be polled are polled about their
 * numbers.
 */
export function matchWaitingMentions(service: Service): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const joins = await lockNewListeners(db, joinsAtOnce)
    if (joins.length === 0) return 0
    await planNumberPolls(db, { known: joins, at: realNow(service) })
    await planFacilityPolls(service, db, joins)
    const shipments = joins.filter(({ kind }) => kind === 'shipment')
    await requestShipmentLinks(db, { shipments, at: realNow(service) })
    await preventMentionExpiry(db)
    for (const join of joins)
      for (const mention of await findWaitingMentions(db, join)) {
        const listeners = await listenersOf(service, db, mention)
        await enqueueMention(
          db,
          mention,
          listeners.filter((listener) => isListenerOf(join, listener)),
        )
      }
    await deleteNewListeners(db, joins)
    wakeWorkers(db, 'tasks')
    return joins.length
  })
}

function isListenerOf({ accountId, id, kind }: ShipmentOrRequest, listener: Listener): boolean {
  if (listener.accountId !== accountId) return false
  return (kind === 'shipment' ? listener.shipmentId : listener.trackingRequestId) === id
}

export function listenersOf(
  service: Service,
  db: Db,
  mention: Pick<MentionToMatch, 'accountId' | 'about' | 'speakerKind' | 'speakerCode' | 'isSandbox'>,
): Promise<readonly Listener[]> {
  const { accountId, about, speakerKind, speakerCode, isSandbox } = mention
  const scac = speakerKind === 'shipping_line' ? speakerCode : null
  const endedSince = addDays(journeyNow(service, isSandbox), -endedDaysMax)
  return findListeners(db, { accountId, isSandbox, scac, about, endedSince })
}

/**
 * Nobody in the account knows the number. If the channel may make requests, notes that one is to be made for the first
 * number of the message part.
 */
async function recordUnknownNumber(db: Db, mention: MentionToMatch, at: string): Promise<void> {
  const { id: mentionId, channelId, accountId, createsRequests, about } = mention
  const [number] = about
  if (!createsRequests || accountId === null || number === undefined) return
  await insertWantedRequest(db, { mentionId, channelId, accountId, ...number, at })
}

async function enqueueMention(db: Db, mention: MentionToMatch, listeners: readonly Listener[]): Promise<void> {
  const { id, subjectId: pollTargetId, snapshotId } = mention
  await enqueueMentions(db, { mentionId: id, subjectId: pollTargetId, snapshotId, listeners })
}
