/**
 * Who owns the containers with an owner code (ISO 6346): a carrier, a leasing company, another owner, or nobody known.
 */

import { once } from '../reference/data-files.ts'
import { allShippingLines } from '../reference/shipping-lines.ts'
import { canonicalScac } from './carriers.ts'
import { readRows } from './data-files.ts'

export const ownerKinds = ['carrier', 'lessor', 'other', 'unregistered'] as const
export type OwnerKind = (typeof ownerKinds)[number]

export interface OwnerCode {
  readonly kind: OwnerKind
  /** The carrier that owns the containers, null unless `kind` is `carrier`. */
  readonly scac: string | null
  /** The name in the register; empty when the register has none. */
  readonly owner: string
  /** The containers are not registered for the carrier, but were bought for it and are leased to it alone. */
  readonly isDedicated: boolean
}

/**
 * Owners that buy containers for one carrier. Korea Ocean Business Corporation, the state's shipping financier, bought
 * those with KOCU for HMM.
 */
const dedicatedTo: Readonly<Record<string, string>> = { KOCU: 'HDMU' }

const unregistered: OwnerCode = { kind: 'unregistered', scac: null, owner: '', isDedicated: false }

/** `code`: the first four letters of a container number. */
export function getOwnerCode(code: string): OwnerCode {
  return codes().get(code) ?? unregistered
}

/** Whether anybody is known to have the owner code of this number. */
export function isRegistered(number: string): boolean {
  return getOwnerCode(number.slice(0, 4)).kind !== 'unregistered'
}

/**
 * The message about the owner code of a wrong number; null when the code has an owner. A right number has no message,
 * because its owner may be younger than the register.
 */
export function describeUnknownOwner(number: string): string | null {
  return isRegistered(number) ? null : `there is no such owner code as ${number.slice(0, 4)}`
}

/** The register is from about 2020. The carriers' own table has newer codes, so it takes precedence. */
const codes = once(() => {
  const byCode = new Map<string, OwnerCode>()
  for (const [code = '', kind, scac = '', owner = ''] of readRows('owner-codes.tsv.gz')) {
    const dedicated = dedicatedTo[code]
    byCode.set(code, {
      kind: dedicated !== undefined || kind === 'carrier' ? 'carrier' : kind === 'lessor' ? kind : 'other',
      scac: dedicated ?? (scac === '' ? null : canonicalScac(scac)),
      owner,
      isDedicated: dedicated !== undefined,
    })
  }
  for (const line of allShippingLines()) {
    for (const code of line.ownerPrefixes) {
      if (byCode.has(code)) continue
      byCode.set(code, { kind: 'carrier', scac: line.scac, owner: line.name, isDedicated: false })
    }
  }
  return byCode
})
