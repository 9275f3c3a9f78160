/** Finds money, amounts with a unit, and other numbers in a draft. */

import { isCurrency } from '../../domain/charges/money.ts'
import type { Span } from './draft-text.ts'
import { findUnit, numberWords, unitWords } from './draft-words.ts'

export interface DraftAmount {
  /** Two where the mark may be one of thousands. */
  readonly values: readonly number[]
  /** Of the values; several for a sign of several currencies, none for a bare number. */
  readonly units: readonly string[]
  /** How far a value may be away, for it may be rounded. */
  readonly tolerance: number
}
export type FoundAmount = Span & { readonly amount: DraftAmount }

const digits = "\\d{1,3}(?:[.,’'\\u202f ]\\d{3}){1,4}(?:[.,]\\d{1,4})?(?!\\d)|\\d{1,12}(?:[.,]\\d{1,4})?(?!\\d)"
const currencies = Intl.supportedValuesOf('currency').join('|')
const measured = new RegExp(
  `(?:(US\\$|[$€£¥]|\\b(?:${currencies})) ?)(${digits})|(?<![\\w.,:/-])(${digits}|\\b(?i:${numberWords.join('|')}))[ -]?((?i:${unitWords})(?![\\w])|(?:${currencies})\\b|[€£¥$])`,
  'g',
)
const bare = new RegExp(`(?<![\\w.,:/#-])(${digits})(?![\\w)-]|[.,/:]\\d)`, 'g')

export function* findMeasured(text: string): Generator<FoundAmount> {
  for (const match of text.matchAll(measured)) {
    const [, sign, after = '', before = '', name = ''] = match
    const unit = sign ?? name
    yield toAmount(match, after || before, findUnit(unit) ?? { units: [unit], scale: 1 })
  }
}

/** A number at the beginning of a line counts the lines. */
export function* findBare(text: string): Generator<FoundAmount> {
  for (const match of text.matchAll(bare)) {
    const isCounter = /(?:^|\n)[\s*-]{0,8}$/.test(text.slice(Math.max(0, match.index - 10), match.index))
    if (!isCounter || !text.startsWith('. ', match.index + match[0].length)) yield toAmount(match, match[0], null)
  }
}

function toAmount(
  { index, 0: whole }: RegExpExecArray,
  written: string,
  unit: ReturnType<typeof findUnit>,
): FoundAmount {
  const { units, scale } = unit ?? { units: [], scale: 1 }
  const word = numberWords.indexOf(written.toLowerCase())
  const values = (word < 0 ? readAmount(written) : [word]).map((each) => each * scale)
  const decimals = /[.,](\d{1,2})$/.exec(written)?.[1]?.length ?? 0
  const tolerance = isCurrency(units[0] ?? '') ? 0.001 : (scale / 10 ** decimals) * 0.5
  return { from: index, to: index + whole.length, amount: { values, units, tolerance } }
}

/** `1.200,50` and `1,200.50` alike. `24.480` may be both, the decimal first. */
function readAmount(written: string): readonly number[] {
  const plain = written.replace(/[’'\u202f ]/g, '')
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const mark = plain.charAt(last)
  const whole = Number(plain.replace(/[.,]/g, ''))
  if (last < 0 || plain.indexOf(mark) !== last) return [whole]
  const decimal = Number(`${plain.slice(0, last).replace(/[.,]/g, '')}.${plain.slice(last + 1)}`)
  const isOnlyMark = !plain.includes(mark === '.' ? ',' : '.')
  if (!isOnlyMark || plain.length - last !== 4) return [decimal]
  return mark === ',' ? [whole] : [decimal, whole]
}
