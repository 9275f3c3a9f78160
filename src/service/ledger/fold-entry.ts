/**
 * Folds any entry of the ledger. Live work, a rebuild, a question about the past and every story go through this one
 * switch.
 */

import { unreachable } from '../../core/values/unreachable.ts'
import type { JourneyState, ShipmentKey } from '../../store/journey-state/state.ts'
import type { EntryOf, LedgerEntry } from '../../store/ledger/ledger.ts'
import type { Fold } from './fold.ts'
import { foldFeed } from './fold-feed.ts'
import { foldLook, type LookMaterial } from './fold-look.ts'
import { foldMessage } from './fold-message.ts'
import { foldReprojected } from './fold-reprojected.ts'
import { foldRequestCreated } from './fold-request-created.ts'
import { foldLineAsked, foldRequestTimer, foldShipmentTimer } from './fold-timer.ts'
import { foldUserAction } from './fold-user-action.ts'
import { foldWords } from './fold-words.ts'
import type { Folded } from './folded.ts'

/** What the fold needs, besides the ledger, for an entry that was read from something. */
export interface Material {
  readonly material: LookMaterial
  readonly key?: ShipmentKey | null
}

/** Throws when the entry cannot be folded as it was: a row that it needs is gone, or is not what was read then. */
export function foldEntry(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  material: Material | null,
): Folded {
  switch (entry.kind) {
    case 'request_created': {
      const made = foldRequestCreated(state, entry)
      if (made === null) throw new Error('the request is there already')
      return made
    }
    case 'look':
      if (material === null) throw new Error('nothing was read for it')
      return foldLook(fold, state, entry, material)
    case 'heard':
      return foldByWay(fold, state, entry, material)
    case 'timer':
      if (entry.payload.isAsked === true)
        return foldLineAsked(fold, state, entry, named(entry.trackingRequestId))
      return entry.payload.of === 'request'
        ? foldRequestTimer(fold, state, entry, named(entry.trackingRequestId))
        : foldShipmentTimer(fold, state, entry, named(entry.shipmentId))
    case 'user_action':
      return foldUserAction(fold, state, entry)
    case 'vessel_arrival': {
      const { feed, observations } = entry.payload
      const heard = { source: { kind: 'ais', code: feed }, observations } as const
      return foldFeed(fold, state, entry, named(entry.shipmentId), heard)
    }
    case 'reprojected':
      return foldReprojected(fold, state, entry, named(entry.shipmentId))
    default:
      return unreachable(entry)
  }
}

/** Folds new statements by the way in which they came: from a feed, from a person, or as a message. */
function foldByWay(
  fold: Fold,
  state: JourneyState,
  entry: EntryOf<'heard'>,
  material: Material | null,
): Folded {
  const { payload } = entry
  switch (payload.via) {
    case 'feed':
      return foldFeed(fold, state, entry, named(entry.shipmentId), payload)
    case 'human':
      return foldWords(fold, state, entry, named(entry.shipmentId), payload)
    default: {
      if (material?.material.kind !== 'reading') throw new Error('nothing was read for it')
      const { heard } = material.material
      return foldMessage(fold, state, { ...entry, payload }, { heard, key: material.key ?? null })
    }
  }
}

function named(id: string | null): string {
  if (id === null) throw new Error('it names neither request nor shipment')
  return id
}
