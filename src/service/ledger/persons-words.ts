/**
 * What people state of a container. These are claims like any other, among the claims of its shipment, each under a
 * key.
 */

import { nameOfFee, nameOfHold } from '../../core/statements/natural-key.ts'
import type { FactObservation, Source } from '../../core/statements/observation.ts'
import type { ShipmentState } from '../../store/journey-state/state.ts'
import type { KeptClaim } from '../../store/journeys/claims.ts'
import type { PersonsWord } from '../../store/ledger/ledger-payload.ts'
import { unbroughtClaim } from './absorb.ts'
import type { BoxOfTrip } from './project.ts'
import { takeIn } from './take-in.ts'

/** The key says what is stated (`nameOfWord`), and of which trip of which box. */
export function keyOfWord(name: string, { number, trip }: BoxOfTrip): string {
  return `${name} ${number}#${trip}`
}

/**
 * Most facts have one value. Holds and fees are stated one at a time, so each of their names has a value of its own.
 */
export function nameOfWord(said: Pick<FactObservation, 'fact' | 'value'>): string {
  // The name determines the type of the value (FactOf).
  const { fact, value } = said as Pick<PersonsWord, 'fact' | 'value'> as PersonsWord
  if (fact === 'hold') return `hold ${nameOfHold(value)}`
  return fact === 'fee' ? `fee ${nameOfFee(value)}` : fact
}

/** The claims that stand under the key, whichever person stated them. */
export function standingWords({ claims }: ShipmentState, key: string): readonly KeptClaim[] {
  return [...claims.values()].filter(
    ({ source, observation, retiredAt }) =>
      source.kind === 'user' && observation.key === key && retiredAt === null,
  )
}

interface Stating {
  readonly box: BoxOfTrip
  /** Who says so. */
  readonly source: Source
  readonly add: readonly PersonsWord[]
  /** Keys of statements that are taken back. */
  readonly withdraw?: readonly string[]
}

/** A person's statement replaces whatever any person stated before under the same key. */
export function withWords(
  shipment: ShipmentState,
  recordedAt: string,
  { box, source, add, withdraw = [] }: Stating,
): ShipmentState {
  const keys = [...add.map(({ key }) => key), ...withdraw]
  const earlier = keys.flatMap((key) => standingWords(shipment, key))
  const claims = add.map(({ id, key, fact, value }): KeptClaim => {
    const stated = { key, equipment: box.number, statedAt: recordedAt, isRetracted: false }
    // Name and value were read together.
    const observation = { kind: 'fact', fact, value, ...stated } as FactObservation
    return unbroughtClaim({ id, source, observation, recordedAt, shipmentId: shipment.row.id })
  })
  const change = { add: claims, retire: earlier.map(({ id }) => id), seen: [], missing: [], left: [] }
  const by = { at: recordedAt, snapshotId: null, reader: 'user/1' }
  return { ...shipment, claims: takeIn(shipment.claims, change, by) }
}
