/** One statement for each fee: what is owed, or that nothing is owed. */

import { nameOfFee } from '../../core/statements/natural-key.ts'
import type { FactObservation, FeeWord } from '../../core/statements/observation.ts'
import { quoted } from '../source-issue.ts'
import { type BoxContext, factOf, meaningOf, noteWord, type Part, textAt } from './box-context.ts'
import { readAmount } from './facts.ts'
import { findAll } from './pointer.ts'
import type { FeeField } from './profile.ts'

type ListField = Extract<FeeField, { list: unknown }>
type OwnField = Extract<FeeField, { type: unknown }>

export function readFees(context: BoxContext, part: Part): readonly FactObservation[] {
  const { fees = [] } = context.profile
  const said = fees.flatMap((field) =>
    'list' in field ? readList(context, field, part) : (readOwn(context, field, part) ?? []),
  )
  const each = [...new Map(said.map((fee) => [nameOfFee(fee), fee])).values()]
  return each.map((fee) => factOf('fee', fee, context, nameOfFee(fee)))
}

function readList(context: BoxContext, field: ListField, part: Part): readonly FeeWord[] {
  return findAll(part.value, field.list, part.path).flatMap((element) => {
    const said = textAt(context, field.word, element)
    const type = said === null ? undefined : meaningOf(field.names, said.text)
    const place = `/fees/${context.profile.fees?.indexOf(field)}/names`
    if (said !== null) noteWord(context, said, { field: place, isMapped: type !== undefined })
    if (type === 'none') return []
    if (said !== null && type === undefined) {
      const at = { path: said.path, lost: 'nothing' } as const
      context.issues.add('unmapped_code', at, `${quoted(said.text)} is a fee that is not mapped`)
    }
    const amount = amountAt(context, field.amount, element)
    if (amount === undefined) return []
    return [feeOf(type ?? 'other', amount, currencyOf(context, field.currency, element), said?.text ?? null)]
  })
}

function readOwn(context: BoxContext, field: OwnField, part: Part): FeeWord | null {
  const amount = amountAt(context, field.at, part)
  if (amount === undefined || amount === null) return null
  return feeOf(field.type, amount, currencyOf(context, field.currency, part), null)
}

function feeOf(
  type: FeeWord['type'],
  amount: number | null,
  currencyCode: string | null,
  description: string | null,
): FeeWord {
  const status = amount !== null && amount <= 0 ? 'settled' : 'due'
  return { type, status, amount: status === 'settled' ? 0 : amount, currencyCode, description }
}

/** Null where no amount is given; undefined, with an issue, where it is not an amount. */
function amountAt(
  context: BoxContext,
  at: string | readonly string[],
  part: Part,
): number | null | undefined {
  const said = textAt(context, at, part)
  if (said === null) return null
  const amount = readAmount(said.text)
  if (amount !== null) return amount
  context.issues.add('wrong_type', { path: said.path, lost: 'field' }, 'this is not an amount of money')
  return undefined
}

/** A currency is never guessed: a fee without one is recorded but not shown. */
function currencyOf(context: BoxContext, currency: FeeField['currency'], part: Part): string | null {
  if (currency === undefined || typeof currency === 'string') return currency ?? null
  const code = textAt(context, currency.at, part)?.text.toUpperCase() ?? ''
  return /^[A-Z]{3}$/.test(code) ? code : null
}
