/** The error for a line that this installation can neither poll nor receive messages from, and what to do about it. */

import { findLineAccess } from '../../connectors/line-access.ts'
import { ServiceError } from '../errors.ts'

export function carrierNotConfiguredError(scac: string): ServiceError {
  return new ServiceError(
    'carrier_not_configured',
    `${scac} is a supported line, but this installation has no access to it. Its operator can ${describeCarrierSetup(scac)}, or open a channel through which the line sends (docs/coverage.md).`,
    { source: { pointer: '/data/attributes/scac' } },
  )
}

function describeCarrierSetup(scac: string): string {
  return findLineAccess(scac) === null
    ? `describe its interface, if the carrier offers one, and run \`landfall connect ${scac}\``
    : `run \`landfall connect ${scac}\``
}
