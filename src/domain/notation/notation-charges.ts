/** How holds and fees are written and read: those of a list, and those that are reported one at a time. */

import {
  type Fee,
  type FeeStatement,
  feeTypes,
  type Hold,
  type HoldStatement,
  holdNames,
} from '../statements/observation.ts'
import {
  NotationProblem,
  parseCode,
  parseNumber,
  parseOptionalToken,
  parseRequiredToken,
  parseToken,
  splitToken,
  type Token,
  writeToken,
} from './notation-tokens.ts'

/** `customs:hold:"exam"`, `freight:pending`. */
export function writeHold(hold: Hold | HoldStatement): string {
  const description = hold.description === null ? '' : `:${JSON.stringify(hold.description)}`
  return `${hold.name}:${hold.status}${description}`
}

export function parseHold(item: Token): Hold {
  return holdOf(item, ['hold', 'pending'])
}

/** `customs:released`. */
export function parseHoldStatement(item: Token): HoldStatement {
  return holdOf(item, ['hold', 'pending', 'released'])
}

function holdOf<const Status extends string>(
  item: Token,
  statuses: readonly Status[],
): { readonly name: Hold['name']; readonly status: Status; readonly description: string | null } {
  const [name = item, status, description = null] = splitToken(item, ':', 3)
  if (status === undefined) throw new NotationProblem(item.column, 'a hold is name:status or name:status:"text"')
  return {
    name: parseCode(name, holdNames),
    status: parseCode(status, statuses),
    description: parseOptionalToken(description),
  }
}

/** `demurrage:due:120.00:USD:"per day"`, `exam:settled`; `-` for a value that was not stated. */
export function writeFeeStatement({ type, status, amount, currencyCode, description }: FeeStatement): string {
  const fields = [type, status, amount === null ? '-' : String(amount), writeToken(currencyCode, isCurrency)]
  return [...fields, ...(description === null ? [] : [JSON.stringify(description)])].join(':')
}

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text)

export function parseFeeStatement(item: Token): FeeStatement {
  const [type = item, status, amount = null, currency = null, description = null] = splitToken(item, ':', 5)
  if (status === undefined)
    throw new NotationProblem(item.column, 'a fee is type:status:amount:currency, like exam:due:120:USD')
  return {
    type: parseCode(type, feeTypes),
    status: parseCode(status, ['due', 'settled']),
    amount: amount === null || amount.text === '-' ? null : parseNumber(amount),
    currencyCode: currency === null ? null : parseToken(currency, isCurrency),
    description: parseOptionalToken(description),
  }
}

/** `demurrage:120.00USD`: cents where they are enough, else the number as it is. */
export function writeFee(fee: Fee): string {
  const inCents = fee.amount.toFixed(2)
  const amount = Number(inCents) === fee.amount ? inCents : String(fee.amount)
  return `${fee.type}:${amount}${/^[A-Z]{3}$/.test(fee.currencyCode) ? fee.currencyCode : JSON.stringify(fee.currencyCode)}`
}

export function parseFee(item: Token): Fee {
  const [type = item, amount] = splitToken(item, ':', 2)
  const parts = /^(-?[0-9][-+.0-9e]*)([A-Z]{3}|".*")$/s.exec(amount?.text ?? '')
  const [, digits = '', currency = ''] = parts ?? []
  if (amount === undefined || parts === null) {
    throw new NotationProblem(item.column, 'a fee is type:amount and currency, like total:120.00USD')
  }
  return {
    type: parseCode(type, feeTypes),
    amount: parseNumber({ text: digits, column: amount.column }),
    currencyCode: parseRequiredToken({ text: currency, column: amount.column + digits.length }),
  }
}
