/**
 * What people state of a container. These are claims like any other, among the claims of its shipment, each under a
 * key.
 */

import { nameOfFee, nameOfHold } from '../../domain/statements/natural-key.ts'
import type { FactObservation, Source } from '../../domain/statements/observation.ts'
import type { StoredClaim } from '../projection/claims-sql.ts'
import type { ShipmentState } from '../projection/journey-state-sql.ts'
import { applyStatements } from './apply-statements.ts'
import { claimWithoutSnapshot } from './compare-reading.ts'
import type { PersonStatement } from './ledger-payload-sql.ts'
import type { ContainerTrip } from './update-projection.ts'

/** The key contains what is stated (`nameStatement`), and of which trip of which container. */
export function buildStatementKey(name: string, { number, trip }: ContainerTrip): string {
  return `${name} ${number}#${trip}`
}

/**
 * Most facts have one value. Holds and fees are stated one at a time, so each of their names has a value of its own.
 */
export function nameStatement(personStatement: Pick<FactObservation, 'fact' | 'value'>): string {
  // The name determines the type of the value (FactOf).
  const { fact, value } = personStatement as Pick<PersonStatement, 'fact' | 'value'> as PersonStatement
  if (fact === 'hold') return `hold ${nameOfHold(value)}`
  return fact === 'fee' ? `fee ${nameOfFee(value)}` : fact
}

/** The active claims under the key, whichever person stated them. */
export function findActiveStatements({ claims }: ShipmentState, key: string): readonly StoredClaim[] {
  return [...claims.values()].filter(
    ({ source, observation, retiredAt }) => source.kind === 'user' && observation.key === key && retiredAt === null,
  )
}

interface PersonStatementChange {
  readonly containerTrip: ContainerTrip
  /** Who states it. */
  readonly source: Source
  readonly add: readonly PersonStatement[]
  /** Keys of statements that are withdrawn. */
  readonly withdraw?: readonly string[]
}

/** A person's statement replaces whatever any person stated before under the same key. */
export function withPersonStatements(
  shipment: ShipmentState,
  recordedAt: string,
  { containerTrip, source, add, withdraw = [] }: PersonStatementChange,
): ShipmentState {
  const keys = [...add.map(({ key }) => key), ...withdraw]
  const earlier = keys.flatMap((key) => findActiveStatements(shipment, key))
  const claims = add.map(({ id, key, fact, value }): StoredClaim => {
    const stated = { key, equipment: containerTrip.number, statedAt: recordedAt, isRetracted: false }
    // Name and value were read together.
    const observation = { kind: 'fact', fact, value, ...stated } as FactObservation
    return claimWithoutSnapshot({ id, source, observation, recordedAt, shipmentId: shipment.row.id })
  })
  const change = { add: claims, retire: earlier.map(({ id }) => id), seen: [], missing: [], left: [] }
  const by = { at: recordedAt, snapshotId: null, reader: 'user/1' }
  return { ...shipment, claims: applyStatements(shipment.claims, change, by) }
}
