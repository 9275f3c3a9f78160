/** Whose boxes bear an owner code (ISO 6346): a carrier's, a leasing company's, somebody else's, or nobody knows. */

import { once } from '../reference/data-files.ts'
import { allShippingLines } from '../reference/shipping-lines.ts'
import { canonicalScac } from './carriers.ts'
import { readRows } from './data-files.ts'

export const ownerKinds = ['carrier', 'lessor', 'other', 'unregistered'] as const
export type OwnerKind = (typeof ownerKinds)[number]

export interface OwnerCode {
  readonly kind: OwnerKind
  /** The carrier that owns the boxes, null unless `kind` is `carrier`. */
  readonly scac: string | null
  /** As the register has it; empty when it has not. */
  readonly owner: string
  /** Not registered for the carrier, but bought for it and leased to it alone. */
  readonly isDedicated: boolean
}

/**
 * Owners that buy boxes for one carrier. Korea Ocean Business Corporation, the state's shipping financier, bought those
 * with KOCU for HMM.
 */
const dedicatedTo: Readonly<Record<string, string>> = { KOCU: 'HDMU' }

const unregistered: OwnerCode = { kind: 'unregistered', scac: null, owner: '', isDedicated: false }

/** By the four letters that a container number begins with. */
export function getOwnerCode(code: string): OwnerCode {
  return codes().get(code) ?? unregistered
}

/** The register is of about 2020; the carriers' own table has codes that are newer, so it is asked first. */
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
