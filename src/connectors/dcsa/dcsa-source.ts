/**
 * The source for DCSA Track & Trace. It polls in version 2.2, and also reads 3.0 and its drafts, in which some carriers
 * answer.
 */

import { type Ability, numberKinds, type Source } from '../source.ts'
import { fetchEvents } from './fetch.ts'
import { type DcsaProfile, limitsOf, parseDcsaProfile, secretNames } from './profile.ts'
import { readerVersion, readSnapshot } from './read-snapshot.ts'
import { TokenKeeper } from './token.ts'

/** Each source has its own tokens. */
export function openDcsaSource(): Source<DcsaProfile> {
  const tokens = new TokenKeeper()
  return {
    name: 'dcsa',
    version: readerVersion,
    parseProfile: parseDcsaProfile,
    secretNames,
    limitsOf,
    abilityOf,
    fetch: (request, access, context) => fetchEvents(request, access, { ...context, tokens }),
    read: readSnapshot,
  }
}

/** Events of Track & Trace have no weights. */
function abilityOf(profile: DcsaProfile): Ability {
  return {
    isVerified: profile.verified,
    supportedKinds: numberKinds.filter((kind) => profile.parameters[kind] !== null),
    isBilled: profile.isBilled,
    provides: {
      weight: false,
      sealNumber: true,
      equipmentType: true,
      departuresAndArrivals: true,
      timeOfDay: !profile.hasDayOnlyTimes,
    },
  }
}
