/**
 * Which lines this installation can ask, and how: through the sandbox for accounts in fiction, through `carriers.json`
 * for real ones.
 */

import { existsSync, readFileSync } from 'node:fs'
import { testScac } from '../../../core/values/identifiers.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../../platform/ids.ts'
import { allShippingLines, findShippingLine } from '../../../reference/shipping-lines.ts'
import { sandboxProfile } from '../../../sources/dcsa/profiles/sandbox.ts'
import { findLineAccess, standardAccess } from '../../../sources/line-access.ts'
import { findSource, type SourceName } from '../../../sources/registry.ts'
import { inTransaction } from '../../../store/database.ts'
import { putCredential } from '../../../store/people/accounts.ts'
import { noLimits } from '../../hearing/pacing/count-requests.ts'
import { journeyNow, type Service } from '../../service.ts'

/** `scac: TEST` answers in every installation, for fiction and for real accounts. */
export async function installTestCarrier(service: Service): Promise<void> {
  await inTransaction(service.pool, async (db) => {
    for (const isFiction of [true, false]) {
      await putCredential(db, {
        id: uuidV5(LANDFALL_NAMESPACE, `credential:${testScac}:${isFiction}`),
        accountId: null,
        scac: testScac,
        source: 'test',
        profile: {},
        secretSealed: null,
        isFiction,
        createdAt: journeyNow(service, isFiction),
      })
    }
  })
}

/** Gives access to every line, simulated by the sandbox at `url`. */
export async function installSandboxCarriers(service: Service, url: string): Promise<void> {
  await inTransaction(service.pool, async (db) => {
    for (const line of allShippingLines()) {
      await putCredential(db, {
        id: uuidV5(LANDFALL_NAMESPACE, `credential:${line.scac}:sandbox`),
        accountId: null,
        scac: line.scac,
        source: 'dcsa',
        profile: { ...sandboxProfile(line.scac, url) },
        secretSealed: null,
        isFiction: true,
        createdAt: journeyNow(service, true),
      })
    }
  })
}

/** One entry of `carriers.json`. Members that `profile` lacks are taken from the profile that ships for the line. */
interface CarrierEntry {
  readonly scac: string
  /** The language of the profile, where it differs from the line's known one. */
  readonly source?: string
  readonly profile?: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, string>>
}

/**
 * Reads the operator's file; returns the lines to which it gives access. Throws an error whose text names the fault.
 */
export async function installCarriers(service: Service, file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return []
  const entries = parseCarriers(readFileSync(file, 'utf8'), file).map((entry) => checkCarrier(entry, file))
  await inTransaction(service.pool, async (db) => {
    for (const { scac, source, profile, secrets } of entries) {
      await putCredential(db, {
        id: uuidV5(LANDFALL_NAMESPACE, `credential:${scac}:operator`),
        accountId: null,
        scac,
        source,
        profile,
        secretSealed: service.vault.seal(JSON.stringify(secrets)),
        isFiction: false,
        createdAt: journeyNow(service, false),
      })
    }
  })
  for (const { scac, source, profile } of entries) {
    const { ceiling, isCeilingSupposed } = findSource(source)?.limitsOf(profile) ?? noLimits
    if (isCeilingSupposed === true) service.log.warn('credential.without_ceiling', { scac, ...ceiling })
  }
  return entries.map(({ scac }) => scac)
}

function parseCarriers(text: string, file: string): readonly CarrierEntry[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${file} is not JSON.`)
  }
  if (!Array.isArray(value))
    throw new Error(`${file} must be a list of carriers: [{"scac": …, "secrets": {…}}].`)
  return value.map((entry: unknown, index) => {
    if (typeof entry === 'object' && entry !== null && 'scac' in entry && typeof entry.scac === 'string') {
      return entry as CarrierEntry
    }
    throw new Error(`${file}: entry ${index + 1} names no scac.`)
  })
}

function checkCarrier(
  entry: CarrierEntry,
  file: string,
): {
  readonly scac: string
  readonly source: SourceName
  readonly profile: Readonly<Record<string, unknown>>
  readonly secrets: Record<string, string>
} {
  const line = findShippingLine(entry.scac)
  if (line === null) throw new Error(`${file}: ${entry.scac} is no line that can be tracked.`)
  const known = findLineAccess(line.scac) ?? standardAccess(line.scac)
  const shipped = {
    ...known,
    ...(entry.source === 'dcsa' && known.source !== 'dcsa' && standardAccess(line.scac)),
  }
  if (entry.source !== undefined && entry.source !== shipped.source)
    throw new Error(`${file}: ${line.scac} is asked in ${shipped.source}; "source" may be dcsa besides.`)
  const source = findSource(shipped.source)
  if (source === null) throw new Error(`there is no source ${shipped.source}`)
  const profile = { ...shipped.profile, ...entry.profile }
  const parsed = source.parseProfile(profile)
  if (!parsed.ok) throw new Error(`${file}: the profile of ${line.scac}: ${parsed.reason}.`)
  const secrets = { ...entry.secrets }
  const missing = source.secretNames(profile).filter((name) => typeof secrets[name] !== 'string')
  if (missing.length > 0) throw new Error(`${file}: ${line.scac} needs the secrets ${missing.join(', ')}.`)
  return { scac: line.scac, source: shipped.source, profile, secrets }
}
