/**
 * Guards pick-up numbers, releases and charges, because with a pick-up number the cargo can be fetched. A pick-up
 * number is sealed before anything keeps it. What a channel of the whole installation says of such things is heard only
 * by accounts that the operator bound to it: whoever types a bill number must not learn in this way how to fetch the
 * cargo.
 */

import type { Claim, FactName, FactObservation, Observation } from '../../core/statements/observation.ts'
import type { Reading } from '../../sources/source.ts'
import type { Vault } from '../vault.ts'

/** Releases, charges, and the number itself. */
const boundFacts: ReadonlySet<FactName> = new Set<FactName>(['pickup_number', 'hold', 'holds', 'fee', 'fees'])

/**
 * The reading as it may be kept and heard. `isAllTold`: it came through the account's own channel, or through one to
 * which the account is bound. `isSealed`: it is not as it was read.
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
 * Whether a second reading may change this claim. A pick-up number stays as it was heard; what only bound accounts may
 * hear is read again only if this account is bound by now.
 */
export function isReadAgain(
  { observation }: Pick<Claim, 'observation'>,
  of: { readonly isAllTold: boolean },
): boolean {
  if (observation.kind !== 'fact' || !boundFacts.has(observation.fact)) return true
  return of.isAllTold && observation.fact !== 'pickup_number'
}

/** The same text gives the same sealed value, so that a repeated statement is recognised. */
function sealed(vault: Pick<Vault, 'sealSame'>, observation: Observation): Observation {
  if (observation.kind !== 'fact') return observation
  // Name and value are those of one fact, before and after.
  return sealedFact(vault, observation) as FactObservation
}

/** Seals the value of a pick-up number. Other facts stay as they are. */
export function sealedFact<Said extends Pick<FactObservation, 'fact' | 'value'>>(
  vault: Pick<Vault, 'sealSame'>,
  said: Said,
): Said {
  const { fact, value } = said
  return fact === 'pickup_number' && typeof value === 'string'
    ? { ...said, value: vault.sealSame(value) }
    : said
}
