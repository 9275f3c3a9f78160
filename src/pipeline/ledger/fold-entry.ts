/** Folds any entry of the ledger. Live work, a rebuild, a query about the past and every story use this one switch. */

import { unreachable } from '../../domain/values/unreachable.ts'
import type { JourneyState, ShipmentKey } from '../projection/journey-state-sql.ts'
import type { Fold } from './fold.ts'
import { foldFeed } from './fold-feed.ts'
import { foldMessage } from './fold-message.ts'
import { foldPersonStatement } from './fold-person-statement.ts'
import { foldPoll, type PollMaterial } from './fold-poll.ts'
import { foldReprojected } from './fold-reprojected.ts'
import { foldRequestCreated } from './fold-request-created.ts'
import type { FoldResult } from './fold-result.ts'
import { foldPollingStart, foldRequestTimer, foldShipmentTimer } from './fold-timer.ts'
import { foldUserAction } from './fold-user-action.ts'
import type { EntryOf, LedgerEntry } from './ledger-sql.ts'

/** What the fold needs, besides the ledger, for an entry that was read from something. */
export interface EntryMaterial {
  readonly material: PollMaterial
  readonly key?: ShipmentKey | null
}

/** Throws when the entry cannot be folded as it was: a row that it needs is gone, or is not what was read then. */
export function foldEntry(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  material: EntryMaterial | null,
): FoldResult {
  switch (entry.kind) {
    case 'request_created': {
      const made = foldRequestCreated(state, entry)
      if (made === null) throw new Error('the request is there already')
      return made
    }
    case 'look':
      if (material === null) throw new Error('nothing was read for it')
      return foldPoll(fold, state, entry, material)
    case 'heard':
      return foldStatementsByChannel(fold, state, entry, material)
    case 'timer':
      if (entry.payload.isAsked === true)
        return foldPollingStart(fold, state, entry, requireId(entry.trackingRequestId))
      return entry.payload.of === 'request'
        ? foldRequestTimer(fold, state, entry, requireId(entry.trackingRequestId))
        : foldShipmentTimer(fold, state, entry, requireId(entry.shipmentId))
    case 'user_action':
      return foldUserAction(fold, state, entry)
    case 'vessel_arrival': {
      const { feed, observations } = entry.payload
      const feedStatements = { source: { kind: 'ais', code: feed }, observations } as const
      return foldFeed(fold, state, entry, requireId(entry.shipmentId), feedStatements)
    }
    case 'reprojected':
      return foldReprojected(fold, state, entry, requireId(entry.shipmentId))
    default:
      return unreachable(entry)
  }
}

/** Folds new statements by the way in which they came: from a feed, from a person, or as a message. */
function foldStatementsByChannel(
  fold: Fold,
  state: JourneyState,
  entry: EntryOf<'heard'>,
  material: EntryMaterial | null,
): FoldResult {
  const { payload } = entry
  switch (payload.via) {
    case 'feed':
      return foldFeed(fold, state, entry, requireId(entry.shipmentId), payload)
    case 'human':
      return foldPersonStatement(fold, state, entry, requireId(entry.shipmentId), payload)
    default: {
      if (material?.material.kind !== 'reading') throw new Error('nothing was read for it')
      const { ingested } = material.material
      return foldMessage(fold, state, { ...entry, payload }, { ingested, key: material.key ?? null })
    }
  }
}

function requireId(id: string | null): string {
  if (id === null) throw new Error('it names neither request nor shipment')
  return id
}
