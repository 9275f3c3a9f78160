/**
 * Which lines this installation can poll, and how: through the sandbox for sandbox accounts, through `carriers.json`
 * for real ones.
 */

import { sandboxProfile } from '../../connectors/dcsa/profiles/sandbox.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { inTransaction } from '../../db/database.ts'
import { testScac } from '../../domain/values/identifiers.ts'
import { noLimits } from '../../pipeline/polling/count-requests.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'
import { saveCredential } from '../accounts/save-credential.ts'
import { journeyNow, type Service } from '../service.ts'
import { readCarriers } from './read-carriers.ts'

/** `scac: TEST` answers in every installation, for sandbox accounts and for real ones. */
export async function installTestCarrier(service: Service): Promise<void> {
  await inTransaction(service.pool, async (db) => {
    for (const isSandbox of [true, false]) {
      await saveCredential(db, service, {
        id: uuidV5(LANDFALL_NAMESPACE, `credential:${testScac}:${isSandbox}`),
        accountId: null,
        scac: testScac,
        source: 'test',
        profile: {},
        secrets: null,
        isSandbox,
        createdAt: journeyNow(service, isSandbox),
      })
    }
  })
}

/** Gives access to every line, simulated by the sandbox at `url`. */
export async function installSandboxCarriers(service: Service, url: string): Promise<void> {
  await inTransaction(service.pool, async (db) => {
    for (const line of allShippingLines()) {
      await saveCredential(db, service, {
        id: uuidV5(LANDFALL_NAMESPACE, `credential:${line.scac}:sandbox`),
        accountId: null,
        scac: line.scac,
        source: 'dcsa',
        profile: { ...sandboxProfile(line.scac, url) },
        secrets: null,
        isSandbox: true,
        createdAt: journeyNow(service, true),
      })
    }
  })
}

/** Returns the lines to which the operator's file gives access. Throws an error whose text names the fault. */
export async function installCarriers(service: Service, file: string): Promise<readonly string[]> {
  const entries = readCarriers(file)
  if (entries.length === 0) return []
  await inTransaction(service.pool, async (db) => {
    for (const { scac, source, profile, secrets } of entries) {
      await saveCredential(db, service, {
        id: uuidV5(LANDFALL_NAMESPACE, `credential:${scac}:operator`),
        accountId: null,
        scac,
        source,
        profile,
        secrets,
        isSandbox: false,
        createdAt: journeyNow(service, false),
      })
    }
  })
  for (const { scac, source, profile } of entries) {
    const { quota, isQuotaDefault } = findSource(source)?.limitsOf(profile) ?? noLimits
    if (isQuotaDefault === true) service.log.warn('credential.without_ceiling', { scac, ...quota })
  }
  return entries.map(({ scac }) => scac)
}
