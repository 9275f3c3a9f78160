/** Sorts the references of a message by their meaning: facts, fees, and whether anything is owed. */

import { type IssueList, quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { isMappable, isReferenceFact } from './profile.ts'
import { findMeaning, type Meaning, type ReferenceFact } from './references.ts'
import type { Reference } from './stated-message.ts'

export interface ReferenceValues {
  readonly facts: readonly { readonly fact: ReferenceFact; readonly value: string }[]
  readonly fees: readonly StatedFee[]
  /** Whether any fees are owed; null where it is not stated. */
  readonly isAnyFeeOwed: boolean | null
}

export interface StatedFee extends Omit<Extract<Meaning, { kind: 'fee' }>, 'kind'> {
  readonly qualifier: string
  readonly amount: number
}

export function readReferences({ stated, profile, dialect, issues }: ReadContext): ReferenceValues {
  const facts: { fact: ReferenceFact; value: string }[] = []
  const fees: StatedFee[] = []
  let isAnyFeeOwed: boolean | null = null
  for (const reference of stated.references) {
    const { qualifier, value, path } = reference
    const mappedFact = profile.references?.[qualifier]
    const meaning: Meaning | null =
      mappedFact !== undefined && isReferenceFact(mappedFact)
        ? { kind: 'fact', fact: mappedFact }
        : findMeaning(qualifier, dialect)
    if ((mappedFact !== undefined || meaning === null) && isMappable(qualifier)) {
      const code = { field: '/references', code: qualifier, reason: '', text: '', path }
      issues.noteCode({ ...code, isMapped: mappedFact !== undefined })
    }
    if (meaning === null)
      issues.addOnce('unmapped_code', { path, lost: 'field' }, `the reference ${quoteValue(qualifier)} is not mapped`)
    else if (meaning.kind === 'fact') {
      if (value !== '') facts.push({ fact: meaning.fact, value })
    } else if (meaning.kind === 'fee') {
      const amount = readAmount(reference, issues)
      if (amount !== null) fees.push({ ...meaning, qualifier, amount })
    } else if (meaning.kind === 'fees_owed') isAnyFeeOwed = readFlag(reference, issues)
  }
  return { facts, fees, isAnyFeeOwed }
}

function readAmount({ value, path }: Reference, issues: IssueList): number | null {
  const [, amount] = /^\$?(\d{1,9}(?:\.\d{1,2})?)$/.exec(value) ?? []
  if (amount !== undefined) return Number(amount)
  issues.add('wrong_type', { path, lost: 'field' }, `${quoteValue(value)} is not an amount of money`)
  return null
}

function readFlag({ value, path }: Reference, issues: IssueList): boolean | null {
  const flag = value.toUpperCase()
  if (flag === 'Y' || flag === 'N') return flag === 'Y'
  issues.add('unknown_code', { path, lost: 'field' }, `${quoteValue(value)} is neither Y nor N`)
  return null
}
