/**
 * `carriers.json`: the operator's access to real lines. Everything in it is checked, and a member that nothing reads is
 * refused by its name. `tools/setting-names.mjs` checks the names before an installation.
 */

import { existsSync, readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { coscoProfileSchema } from '../../connectors/cosco/profile.ts'
import { dcsaProfileSchema } from '../../connectors/dcsa/profile.ts'
import { findLineAccess, standardAccess } from '../../connectors/line-access.ts'
import { findSource, type SourceName } from '../../connectors/source-registry.ts'
import { suggestNearest } from '../../platform/config.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'

/** The names of an object's members with the names inside each; null for a value in which every name is allowed. */
export type MemberNames = { readonly [name: string]: MemberNames } | null

/** Those of every profile. */
export const profileMembers: MemberNames = {
  ...membersOf(dcsaProfileSchema),
  ...membersOf(coscoProfileSchema),
}
const entryMembers = ['scac', 'source', 'profile', 'secrets']

function membersOf(schema: TSchema): MemberNames {
  const { properties, anyOf = [] } = schema as {
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly anyOf?: readonly TSchema[]
  }
  if (properties === undefined) return anyOf.map(membersOf).find((names) => names !== null) ?? null
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, membersOf(schema)]))
}

/** One entry. Members that `profile` lacks come from the profile that ships for the line. */
interface CarrierEntry {
  readonly scac: string
  /** The language of the profile, where it differs from the line's known one. */
  readonly source?: string
  readonly profile?: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, string>>
}

export interface Carrier {
  readonly scac: string
  readonly source: SourceName
  readonly profile: Readonly<Record<string, unknown>>
  readonly secrets: Record<string, string>
}

/** Empty when there is no such file. Throws an error whose text names the fault. */
export function readCarriers(file: string): readonly Carrier[] {
  if (!existsSync(file)) return []
  return parseCarriers(readFileSync(file, 'utf8'), file).map((entry) => checkCarrier(entry, file))
}

function parseCarriers(text: string, file: string): readonly CarrierEntry[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${file} is not JSON.`)
  }
  if (!Array.isArray(value)) throw new Error(`${file} must be a list of carriers: [{"scac": …, "secrets": {…}}].`)
  return value.map((entry: unknown, index) => {
    if (typeof entry === 'object' && entry !== null && 'scac' in entry && typeof entry.scac === 'string') {
      return entry as CarrierEntry
    }
    throw new Error(`${file}: entry ${index + 1} names no scac.`)
  })
}

function checkCarrier(entry: CarrierEntry, file: string): Carrier {
  const line = findShippingLine(entry.scac)
  if (line === null) throw new Error(`${file}: ${entry.scac} is no line that can be tracked.`)
  const refuse = (unknown: string, known: readonly string[]): never => {
    const question = suggestNearest(unknown.split('.').at(-1) ?? '', known)
    throw new Error(`${file}: ${entry.scac} has an unknown member ${unknown}.${question}`)
  }
  refuseUnknownMembers(entry, { members: Object.fromEntries(entryMembers.map((name) => [name, null])), refuse })
  refuseUnknownMembers(entry.profile ?? {}, { members: profileMembers, refuse, at: 'profile' })
  const known = findLineAccess(line.scac) ?? standardAccess(line.scac)
  const shipped = {
    ...known,
    ...(entry.source === 'dcsa' && known.source !== 'dcsa' && standardAccess(line.scac)),
  }
  if (entry.source !== undefined && entry.source !== shipped.source)
    throw new Error(
      `${file}: ${line.scac} is polled with the source ${shipped.source}; "source" can only be this one or dcsa.`,
    )
  const source = findSource(shipped.source)
  if (source === null) throw new Error(`there is no source ${shipped.source}`)
  const profile = { ...shipped.profile, ...entry.profile }
  const parsed = source.parseProfile(profile)
  if (!parsed.ok) throw new Error(`${file}: the profile of ${line.scac}: ${parsed.reason}.`)
  const secrets = { ...entry.secrets }
  const names = source.secretNames(profile)
  refuseUnknownMembers(secrets, {
    members: Object.fromEntries(names.map((name) => [name, null])),
    refuse,
    at: 'secrets',
  })
  const missing = names.filter((name) => typeof secrets[name] !== 'string')
  if (missing.length > 0) throw new Error(`${file}: ${line.scac} needs the secrets ${missing.join(', ')}.`)
  return { scac: line.scac, source: shipped.source, profile, secrets }
}

function refuseUnknownMembers(
  value: unknown,
  of: {
    readonly members: MemberNames
    readonly refuse: (unknown: string, known: readonly string[]) => never
    readonly at?: string
  },
): void {
  const { members, refuse, at } = of
  if (members === null || typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, inside] of Object.entries(value)) {
    const path = at === undefined ? name : `${at}.${name}`
    if (!Object.hasOwn(members, name)) refuse(path, Object.keys(members))
    refuseUnknownMembers(inside, { members: members[name] ?? null, refuse, at: path })
  }
}
