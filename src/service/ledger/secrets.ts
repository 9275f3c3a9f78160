/**
 * What fetches the cargo, and what is owed and released for it. A pick-up number is sealed before anything keeps it; what a
 * channel of the whole installation says of such things is heard only by accounts that the operator bound to it, for whoever
 * types a bill number must not learn by it how to fetch the cargo.
 */

import type { Claim, FactName, FactObservation, Observation } from '../../core/statements/observation.ts'
import type { Reading } from '../../sources/source.ts'
import type { Vault } from '../vault.ts'

/** Releases, charges, and the number itself. */
const boundFacts: ReadonlySet<FactName> = new Set<FactName>(['pickup_number', 'hold', 'holds', 'fee', 'fees'])

/**
 * The reading as it may be kept and heard. `isAllTold`: by the account's own channel, or one that it is bound to. `isSealed`
 * where it is another than was read.
 */
export function keepSecrets<Told extends Pick<Reading, 'observations'>>(
  vault: Pick<Vault, 'sealSame'>,
  reading: Told,
  { isAllTold }: { readonly isAllTold: boolean },
): { readonly reading: Told; readonly isSealed: boolean } {
  const observations = reading.observations
    .filter((each) => isAllTold || each.kind !== 'fact' || !boundFacts.has(each.fact))
    .map((each) => sealed(vault, each))
  const isSealed =
    observations.length < reading.observations.length ||
    observations.some((each, place) => each !== reading.observations[place])
  return isSealed ? { reading: { ...reading, observations }, isSealed } : { reading, isSealed }
}

/**
 * What a second reading may read of it: a pick-up number is left as it was heard, and what is told to bound accounts only
 * where this one is bound by now.
 */
export function isReadAgain(
  { observation }: Pick<Claim, 'observation'>,
  of: { readonly isAllTold: boolean },
): boolean {
  if (observation.kind !== 'fact' || !boundFacts.has(observation.fact)) return true
  return of.isAllTold && observation.fact !== 'pickup_number'
}

/** The same text is the same sealed, so that what is said again is known as said before. */
function sealed(vault: Pick<Vault, 'sealSame'>, observation: Observation): Observation {
  if (observation.kind !== 'fact') return observation
  // Name and value are those of one fact, before and after.
  return sealedFact(vault, observation) as FactObservation
}

/** Name and value go together; of other facts they are as they were. */
export function sealedFact<Said extends Pick<FactObservation, 'fact' | 'value'>>(
  vault: Pick<Vault, 'sealSame'>,
  said: Said,
): Said {
  const { fact, value } = said
  return fact === 'pickup_number' && typeof value === 'string'
    ? { ...said, value: vault.sealSame(value) }
    : said
}
