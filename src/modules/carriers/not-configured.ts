/** The error for a line that this installation can neither poll nor receive messages from, and what to do about it. */

import { findLineAccess } from '../../connectors/line-access.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { ServiceError } from '../errors.ts'

export function carrierNotConfiguredError(scac: string): ServiceError {
  return new ServiceError(
    'carrier_not_configured',
    `${scac} is a supported line, but this installation has no access to it. Its operator can ${describeCarrierSetup(scac)}, or open a channel through which the line sends (docs/coverage.md).`,
    { source: { pointer: '/data/attributes/scac' } },
  )
}

function describeCarrierSetup(scac: string): string {
  const known = findLineAccess(scac)
  if (known === null) return 'describe its interface in carriers.json, if the line offers one'
  const { source, profile, operatorSets } = known
  const secrets = findSource(source)?.secretNames(profile) ?? []
  const fields = operatorSets.length === 0 ? '' : ` and, in its profile, ${operatorSets.join(', ')}`
  return `add it to carriers.json with the secrets ${secrets.join(', ')}${fields}`
}
