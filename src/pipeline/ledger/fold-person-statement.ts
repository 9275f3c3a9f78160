/**
 * Folds a statement of a person about a container, or its withdrawal: changes the claims of its shipment, then projects
 * the shipment again.
 */

import { rulesVersion } from '../../domain/view/projection-rules.ts'
import type { JourneyState, ShipmentState } from '../projection/journey-state-sql.ts'
import type { Fold } from './fold.ts'
import type { FoldResult } from './fold-result.ts'
import { foldShipmentTimer } from './fold-timer.ts'
import type { PersonIngested } from './ledger-payload-sql.ts'
import type { LedgerEntry } from './ledger-sql.ts'
import { withPersonStatements } from './person-statements.ts'
import { getShipment, withShipment } from './state-rows.ts'
import { type ContainerTrip, containerIdOf } from './update-projection.ts'

export function foldPersonStatement(
  fold: Fold,
  state: JourneyState,
  entry: LedgerEntry,
  shipmentId: string,
  statement: Pick<PersonIngested, 'source' | 'containerId' | 'add' | 'withdraw'>,
): FoldResult {
  const { source, containerId, add = [], withdraw = [] } = statement
  const shipment = getShipment(state, shipmentId)
  const updatedShipment = withPersonStatements(shipment, entry.recordedAt, {
    containerTrip: getContainerTrip(entry, shipment, containerId),
    source,
    add,
    withdraw,
  })
  return foldShipmentTimer(fold, withShipment(state, updatedShipment), entry, shipmentId)
}

export function getContainerTrip(
  { rules }: Pick<LedgerEntry, 'rules'>,
  shipment: ShipmentState,
  containerId: string,
): ContainerTrip {
  const known = shipment.containers.find(({ id }) => id === containerId)
  const containerTrip = known ?? (rules === rulesVersion ? undefined : findContainerTrip(shipment, containerId))
  if (containerTrip === undefined) throw new Error(`container ${containerId} is gone`)
  return containerTrip
}

const tripsMax = 20

/**
 * Finds a trip of a container that older rules made and the present rules do not make. Its id shows which trip it is.
 */
function findContainerTrip({ row, containers }: ShipmentState, containerId: string): ContainerTrip | undefined {
  const numbers = [...new Set(containers.map(({ number }) => number))]
  const containerTrips = numbers.flatMap((number) =>
    Array.from({ length: tripsMax }, (_, index) => ({ number, trip: index + 1 })),
  )
  return containerTrips.find((containerTrip) => containerIdOf(row.id, containerTrip) === containerId)
}
