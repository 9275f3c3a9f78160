/**
 * How the sandbox's carriers are polled: each at its own path, without access data, with the deviations of the real
 * carrier.
 */

import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { type DcsaProfile, standardProfile } from '../profile.ts'
import { findDcsaProfile } from './lines.ts'

/** Null for a SCAC of a line that cannot be tracked. `baseUrl`: the address of the sandbox, without a path. */
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
    // The sandbox needs no limits: the schedule of polls sets the pace.
    rate: {},
    concurrency: 8,
    timeoutMs: 10_000,
    // The sandbox gives a time for each statement, sends one list of events, and refuses a question only for its
    // number.
    ...(real.restatesTransport && { restatesTransport: false }),
    ...(real.body === 'parts' && { body: 'array' }),
    isFullPicture: sendsFullPicture.has(line.scac),
    isBilled: false,
  }
}

/** The lines that in the sandbox always send a full picture. */
const sendsFullPicture: ReadonlySet<string> = new Set(['HLCU', 'KMTU', 'ONEY', 'OOLU', 'SMLM', 'TRKU', 'ZIMU'])
