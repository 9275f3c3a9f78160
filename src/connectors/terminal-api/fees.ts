/** One statement for each fee: what is owed, or that nothing is owed. */

import { nameOfFee } from '../../domain/statements/natural-key.ts'
import type { FactObservation, FeeStatement } from '../../domain/statements/observation.ts'
import { quoteValue } from '../source-issue.ts'
import { type ContainerContext, factOf, type JsonNode, meaningOf, recordCode, textAt } from './container-context.ts'
import { readAmount } from './facts.ts'
import { findPointerMatches } from './pointer.ts'
import type { FeeField } from './profile.ts'

type ListField = Extract<FeeField, { list: unknown }>
type DedicatedField = Extract<FeeField, { type: unknown }>

export function readFees(context: ContainerContext, node: JsonNode): readonly FactObservation[] {
  const { fees = [] } = context.profile
  const statedFees = fees.flatMap((field) =>
    'list' in field ? readList(context, field, node) : (readDedicatedFee(context, field, node) ?? []),
  )
  const each = [...new Map(statedFees.map((fee) => [nameOfFee(fee), fee])).values()]
  return each.map((fee) => factOf('fee', fee, context, nameOfFee(fee)))
}

function readList(context: ContainerContext, field: ListField, node: JsonNode): readonly FeeStatement[] {
  return findPointerMatches(node.value, field.list, node.path).flatMap((element) => {
    const raw = textAt(context, field.word, element)
    const type = raw === null ? undefined : meaningOf(field.names, raw.text)
    const place = `/fees/${context.profile.fees?.indexOf(field)}/names`
    if (raw !== null) recordCode(context, raw, { field: place, isMapped: type !== undefined })
    if (type === 'none') return []
    if (raw !== null && type === undefined) {
      const at = { path: raw.path, lost: 'nothing' } as const
      context.issues.add('unmapped_code', at, `${quoteValue(raw.text)} is a fee that is not mapped`)
    }
    const amount = amountAt(context, field.amount, element)
    if (amount === undefined) return []
    return [feeOf(type ?? 'other', amount, currencyOf(context, field.currency, element), raw?.text ?? null)]
  })
}

function readDedicatedFee(context: ContainerContext, field: DedicatedField, node: JsonNode): FeeStatement | null {
  const amount = amountAt(context, field.at, node)
  if (amount === undefined || amount === null) return null
  return feeOf(field.type, amount, currencyOf(context, field.currency, node), null)
}

function feeOf(
  type: FeeStatement['type'],
  amount: number | null,
  currencyCode: string | null,
  description: string | null,
): FeeStatement {
  const status = amount !== null && amount <= 0 ? 'settled' : 'due'
  return { type, status, amount: status === 'settled' ? 0 : amount, currencyCode, description }
}

/** Null where no amount is given; undefined, with an issue, where it is not an amount. */
function amountAt(
  context: ContainerContext,
  at: string | readonly string[],
  node: JsonNode,
): number | null | undefined {
  const raw = textAt(context, at, node)
  if (raw === null) return null
  const amount = readAmount(raw.text)
  if (amount !== null) return amount
  context.issues.add('wrong_type', { path: raw.path, lost: 'field' }, 'this is not an amount of money')
  return undefined
}

/** A currency is never guessed: a fee without one is recorded but not shown. */
function currencyOf(context: ContainerContext, currency: FeeField['currency'], node: JsonNode): string | null {
  if (currency === undefined || typeof currency === 'string') return currency ?? null
  const code = textAt(context, currency.at, node)?.text.toUpperCase() ?? ''
  return /^[A-Z]{3}$/.test(code) ? code : null
}
