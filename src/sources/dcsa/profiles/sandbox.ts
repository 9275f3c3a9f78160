/** How the lines of the sandbox are asked: each at its own path, without access, with the deviations of the real one. */

import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { type DcsaProfile, standardProfile } from '../profile.ts'
import { findDcsaProfile } from './lines.ts'

/** Null for a SCAC that is none of a line that can be tracked. `baseUrl`: where the sandbox serves, without a path. */
export function sandboxProfile(scac: string, baseUrl: string): DcsaProfile | null {
  const line = findShippingLine(scac)
  if (line === null) return null
  const known = findDcsaProfile(line.scac) ?? { ...standardProfile, scac: line.scac, base: baseUrl }
  const { refusalPhrases: _, ...real } = known
  const { container, bill_of_lading, booking } = standardProfile.parameters
  return {
    ...real,
    base: baseUrl.replace(/\/$/, ''),
    path: `/${line.scac.toLowerCase()}/v2/events`,
    auth: standardProfile.auth,
    parameters: {
      container: line.tracksBy.container ? container : null,
      bill_of_lading: line.tracksBy.billOfLading ? bill_of_lading : null,
      booking: line.tracksBy.booking ? booking : null,
    },
    extraParameters: standardProfile.extraParameters,
    paging: standardProfile.paging,
    stripPrefixes: [],
    // The sandbox is there to be asked: what paces it is the schedule of looks.
    rate: {},
    concurrency: 8,
    timeoutMs: 10_000,
    // It tells when it stated each thing, in one list, and refuses nothing but numbers.
    ...(real.restatesTransport && { restatesTransport: false }),
    ...(real.body === 'parts' && { body: 'array' }),
    isFullPicture: sendsFullPicture.has(line.scac),
    isBilled: false,
  }
}

/** The lines that the sandbox plays as always sending all that holds, and nothing else. */
const sendsFullPicture: ReadonlySet<string> = new Set([
  'HLCU',
  'KMTU',
  'ONEY',
  'OOLU',
  'SMLM',
  'TRKU',
  'ZIMU',
])
