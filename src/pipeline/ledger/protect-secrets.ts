/**
 * Protects pick-up numbers, releases and charges, because whoever has a pick-up number can fetch the cargo. A pick-up
 * number is encrypted before it is stored anywhere. What a channel of the whole installation states of such facts is
 * ingested only by accounts that the operator bound to it: whoever types a bill number must not learn in this way how
 * to fetch the cargo.
 */

import type { Reading } from '../../connectors/source.ts'
import type { Claim, FactName, FactObservation, Observation } from '../../domain/statements/observation.ts'
import type { Encryption } from '../../platform/encryption.ts'

/** Releases, charges, and the number itself. */
const boundFacts: ReadonlySet<FactName> = new Set<FactName>(['pickup_number', 'hold', 'holds', 'fee', 'fees'])

/**
 * The reading as it may be stored and ingested. `isAllVisible`: it came through the account's own channel, or through
 * one to which the account is bound. `isSealed`: it differs from what was read.
 */
export function protectSecrets<Content extends Pick<Reading, 'observations'>>(
  encryption: Pick<Encryption, 'encryptDeterministic'>,
  reading: Content,
  { isAllVisible }: { readonly isAllVisible: boolean },
): { readonly reading: Content; readonly isSealed: boolean } {
  const observations = reading.observations
    .filter((each) => isAllVisible || each.kind !== 'fact' || !boundFacts.has(each.fact))
    .map((each) => encryptSecret(encryption, each))
  const isSealed =
    observations.length < reading.observations.length ||
    observations.some((each, place) => each !== reading.observations[place])
  return isSealed ? { reading: { ...reading, observations }, isSealed } : { reading, isSealed }
}

/**
 * Whether a second reading may change this claim. A pick-up number stays as it was ingested; what only bound accounts
 * may receive is read again only if this account is bound by now.
 */
export function isRereadAllowed(
  { observation }: Pick<Claim, 'observation'>,
  of: { readonly isAllVisible: boolean },
): boolean {
  if (observation.kind !== 'fact' || !boundFacts.has(observation.fact)) return true
  return of.isAllVisible && observation.fact !== 'pickup_number'
}

/** The same text gives the same encrypted value, so that a repeated statement is recognised. */
function encryptSecret(encryption: Pick<Encryption, 'encryptDeterministic'>, observation: Observation): Observation {
  if (observation.kind !== 'fact') return observation
  // Name and value are those of one fact, before and after.
  return encryptFact(encryption, observation) as FactObservation
}

/** Encrypts the value of a pick-up number. Other facts stay as they are. */
export function encryptFact<Fact extends Pick<FactObservation, 'fact' | 'value'>>(
  encryption: Pick<Encryption, 'encryptDeterministic'>,
  factStatement: Fact,
): Fact {
  const { fact, value } = factStatement
  return fact === 'pickup_number' && typeof value === 'string'
    ? { ...factStatement, value: encryption.encryptDeterministic(value) }
    : factStatement
}
