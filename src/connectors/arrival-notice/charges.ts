/**
 * The line's charges: for the notice, for a container, and for cargo in a container. Prepaid charges are the shipper's
 * and are not owed on arrival, so they are left out. Issues never quote an amount.
 */

import type { FeeStatement } from '../../domain/statements/observation.ts'
import { type JsonNode, nameOfType, readObjects, readText } from '../dcsa/json-node.ts'
import type { NoticeContext, NoticeFact } from './notice-facts.ts'
import { readItemContainer } from './weights.ts'

export function readCharges(context: NoticeContext): readonly NoticeFact[] {
  const { issues, whole, head } = context
  const items = readObjects(whole, 'consignmentItems', issues).flatMap((each) =>
    readObjects(each, 'cargoItems', issues),
  )
  const places: readonly { readonly node: JsonNode; readonly equipment: string | null }[] = [
    { node: whole, equipment: null },
    ...head.containers.map(({ number, node }) => ({ node, equipment: number })),
    ...items.map((node) => ({ node, equipment: readItemContainer(node, context) })),
  ]
  const isPaid = ['FULLY_PAID', 'OVERPAID'].includes(readText(whole, 'freightPaymentStatus', issues) ?? '')
  const counts = new Map<string, number>()
  return places.flatMap(({ node, equipment }) =>
    readObjects(node, 'charges', issues).flatMap((charge): NoticeFact[] => {
      const value = readCharge(charge, isPaid, context)
      if (value === null) return []
      const name = readText(charge, 'chargeCode', issues) ?? value.description ?? value.type
      // The same charge may be listed twice, and each one is owed.
      const counted = `${name} ${equipment}`
      const count = (counts.get(counted) ?? 0) + 1
      counts.set(counted, count)
      const which = `${value.type} ${name.replaceAll('|', '/')}${count === 1 ? '' : `~${count}`}`
      return [{ fact: 'fee', value, equipment, which }]
    }),
  )
}

/** Null for a prepaid charge, and for a charge without name, code and amount. */
function readCharge(charge: JsonNode, isPaid: boolean, { issues }: NoticeContext): FeeStatement | null {
  const term = readText(charge, 'paymentTermCode', issues)?.toUpperCase() ?? null
  if (term === 'PRE') return null
  const name = readText(charge, 'chargeName', issues)
  const code = readText(charge, 'chargeCode', issues)
  const amount = readAmount(charge, { issues })
  if (name === null && code === null && amount === null) return null
  const currency = readText(charge, 'currencyCode', issues)?.toUpperCase() ?? null
  const isCurrency = currency !== null && /^[A-Z]{3}$/.test(currency)
  if (currency !== null && !isCurrency) {
    const at = { path: `${charge.path}/currencyCode`, lost: 'field' } as const
    issues.addOnce('unknown_code', at, 'the currency is not an ISO 4217 code')
  }
  return {
    type: typeOf(`${name ?? ''}`, code?.toUpperCase() ?? ''),
    // The payment status is about charges to collect, so it is applied only to charges that are marked as such.
    status: isPaid && term === 'COL' ? 'settled' : 'due',
    amount,
    currencyCode: isCurrency ? currency : null,
    description: name ?? code,
  }
}

function readAmount(charge: JsonNode, { issues }: Pick<NoticeContext, 'issues'>): number | null {
  const value = charge.value['currencyAmount']
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const at = { path: `${charge.path}/currencyAmount`, lost: 'field' } as const
  issues.addOnce('wrong_type', at, `an amount was expected, not ${nameOfType(value)}`)
  return null
}

function typeOf(name: string, code: string): FeeStatement['type'] {
  if (code === 'DEM' || code === 'DET' || /\b(demurrage|detention|per diem)\b/i.test(name)) return 'demurrage'
  if (/\bextended dwell\b/i.test(name)) return 'extended_dwell_time'
  if (/\bexam(ination)?\b/i.test(name)) return 'exam'
  return /^total\b/i.test(name) ? 'total' : 'other'
}
