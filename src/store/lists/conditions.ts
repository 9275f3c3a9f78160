/**
 * The `where` of a list: only the conditions that were asked for, each value bound. Such a statement has no name and is
 * planned anew for its very values (0.3 ms): one plan for all of `$2 is null or …` reads the whole account for what is rare.
 */

import type { TimeRange } from './page.ts'

export interface Conditions {
  /** Of the statement, the account first. */
  readonly values: readonly unknown[]
  readonly texts: readonly string[]
  /** What follows from `texts`, for an index to be found by: no part of a count, where the planner reckons it twice. */
  readonly hints: readonly string[]
  /** True when only few rows can match, so that all of them are met whatever part is read. */
  readonly areFew: boolean
}

export interface ConditionsMaker extends Conditions {
  /** Binds what stands in its holes; says nothing when one of them is null or missing. */
  readonly add: (fragment: Fragment) => void
  /** The place of a value in a text of ours. */
  readonly bind: (value: unknown) => string
  /** Text of ours: whatever a caller sent stands in it by `bind` alone. */
  readonly addText: (text: string) => void
  readonly addHint: (text: string) => void
  /** As `addText`, of what only few rows can be. */
  readonly addFewText: (text: string) => void
  /** One of these few; says nothing when null. */
  readonly addFew: (column: string, ids: readonly string[] | null) => void
  /** `column` by `=` for one value, so that an index can give the order as well; several by a list. */
  readonly addAnyOf: (column: string, given: string | readonly string[] | null | undefined) => void
  readonly addRange: (column: string, range: TimeRange | undefined) => void
}

/** A text of ours with holes for what a caller sent. */
interface Fragment {
  readonly texts: readonly string[]
  readonly given: readonly unknown[]
}

export function sql(texts: TemplateStringsArray, ...given: readonly unknown[]): Fragment {
  return { texts, given }
}

/** `alias` is that of the list's table, whose rows are one account's. */
export function makeConditions(alias: string, accountId: string): ConditionsMaker {
  const values: unknown[] = [accountId]
  const texts = [`${alias}.account_id = $1`]
  const hints: string[] = []
  const bind = (value: unknown): string => `$${values.push(value)}`
  let areFew = false
  return {
    values,
    texts,
    hints,
    get areFew() {
      return areFew
    },
    bind,
    add: (fragment) => {
      const { given } = fragment
      if (given.some((each) => each === null || each === undefined)) return
      texts.push(
        fragment.texts.reduce((before, after, place) => `${before}${bind(given[place - 1])}${after}`),
      )
    },
    addText: (text) => {
      texts.push(text)
    },
    addHint: (text) => {
      hints.push(text)
    },
    addFewText: (text) => {
      areFew = true
      texts.push(text)
    },
    addFew: (column, ids) => {
      if (ids === null) return
      areFew = true
      texts.push(`${column} = any(${bind(ids)}::uuid[])`)
    },
    addAnyOf: (column, given) => {
      const wanted = [given ?? []].flat()
      if (wanted.length === 1) texts.push(`${column} = ${bind(wanted[0])}`)
      if (wanted.length > 1) texts.push(`${column} = any(${bind(wanted)}::text[])`)
    },
    addRange: (column, range) => {
      if (range === undefined) return
      if (range.start !== null) texts.push(`${column} >= ${bind(range.start)}`)
      if (range.end !== null) texts.push(`${column} <= ${bind(range.end)}`)
      // What nobody has said is `infinity` in a column, and in no range.
      else if (range.start !== null) texts.push(`${column} < 'infinity'`)
    },
  }
}
