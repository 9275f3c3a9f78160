/**
 * Folds a statement of a person about a container, or its withdrawal: changes the claims of its shipment, then projects
 * the shipment again.
 */

import { rulesVersion } from '../../core/shown/projection-rules.ts'
import type { JourneyState, ShipmentState } from '../../store/journey-state/state.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'
import type { PersonHeard } from '../../store/ledger/ledger-payload.ts'
import type { Fold } from './fold.ts'
import { foldShipmentTimer } from './fold-timer.ts'
import type { Folded } from './folded.ts'
import { withWords } from './persons-words.ts'
import { type BoxOfTrip, containerIdOf } from './project.ts'
import { getShipment, withShipment } from './state-rows.ts'

export function foldWords(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  shipmentId: string,
  words: Pick<PersonHeard, 'source' | 'containerId' | 'add' | 'withdraw'>,
): Folded {
  const { source, containerId, add = [], withdraw = [] } = words
  const shipment = getShipment(state, shipmentId)
  const said = withWords(shipment, entry.recordedAt, {
    box: getBox(entry, shipment, containerId),
    source,
    add,
    withdraw,
  })
  return foldShipmentTimer(fold, withShipment(state, said), entry, shipmentId)
}

export function getBox(
  { rules }: Pick<LedgerEntry, 'rules'>,
  shipment: ShipmentState,
  containerId: string,
): BoxOfTrip {
  const known = shipment.containers.find(({ id }) => id === containerId)
  const box = known ?? (rules === rulesVersion ? undefined : findBox(shipment, containerId))
  if (box === undefined) throw new Error(`container ${containerId} is gone`)
  return box
}

const tripsMax = 20

/** Finds a trip of a box that older rules made and the present rules do not make. Its id shows which trip it is. */
function findBox({ row, containers }: ShipmentState, containerId: string): BoxOfTrip | undefined {
  const numbers = [...new Set(containers.map(({ number }) => number))]
  const boxes = numbers.flatMap((number) =>
    Array.from({ length: tripsMax }, (_, index) => ({ number, trip: index + 1 })),
  )
  return boxes.find((box) => containerIdOf(row.id, box) === containerId)
}
