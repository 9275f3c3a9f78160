/**
 * The `where` of a list: only the requested conditions, each value bound. Such a statement has no name and is planned
 * each time for its own values (0.3 ms). One plan for all, with `$2 is null or …`, reads the whole account where only
 * few rows match.
 */

import type { TimeRange } from './page.ts'

/** Values of a statement whose text is composed of pieces. */
export interface Binder {
  readonly values: unknown[]
  /** Binds a value and returns its place, such as `$2`. */
  readonly bind: (value: unknown) => string
}

export function bindValues(first: readonly unknown[]): Binder {
  const values = [...first]
  return { values, bind: (value) => `$${values.push(value)}` }
}

export interface Conditions {
  /** Values of the statement. The first is the account. */
  readonly values: readonly unknown[]
  readonly texts: readonly string[]
  /**
   * Conditions that follow from `texts` and let the planner use an index. They are left out of a count, where the
   * planner would count their effect twice.
   */
  readonly hints: readonly string[]
  /** Terms of `labels` that a row must have, where the list is sorted as labels are: it is read along them. */
  readonly labels: readonly string[]
  /** True when only few rows can match, so that all of them are read, whatever page is requested. */
  readonly areFew: boolean
}

export interface ConditionsMaker extends Conditions {
  /** Adds the fragment and binds its values. Adds nothing when one of the values is null or missing. */
  readonly add: (fragment: Fragment) => void
  /** Binds a value and returns its place, such as `$2`. */
  readonly bind: (value: unknown) => string
  /** Adds our own SQL. Input of a caller may be in it only through `bind`. */
  readonly addText: (text: string) => void
  readonly addHint: (text: string) => void
  /** `term` is SQL. */
  readonly addLabel: (term: string) => void
  /** Like `addText`, for a condition that only few rows can meet. */
  readonly addFewText: (text: string) => void
  /** The column is one of these few ids. Adds nothing when `ids` is null. */
  readonly addFew: (column: string, ids: readonly string[] | null) => void
  /** One value is compared by `=`, so that an index can give the order as well; several values by a list. */
  readonly addAnyOf: (column: string, filterValue: string | readonly string[] | null | undefined) => void
  /** `zone`: SQL for the time zone of the place of a moment, where a day is one of that place. */
  readonly addRange: (column: string, range: TimeRange | undefined, zone?: string) => void
}

/** UN/LOCODEs of a journey's places. Null, or left out: no condition. */
export interface PlacesFilter {
  readonly pol?: string | readonly string[] | null
  readonly pod?: string | readonly string[] | null
  readonly destination?: readonly string[] | null
  /** Bound there by sea or inland. */
  readonly podOrDestination?: readonly string[] | null
}

/** `alias`: of the table of shipments or of containers. */
export function addPlaces(conditions: ConditionsMaker, alias: string, filter: PlacesFilter): void {
  const destination = `${alias}.projection #>> '{destination,place,unlocode}'`
  conditions.addAnyOf(`${alias}.pol`, filter.pol)
  conditions.addAnyOf(`${alias}.pod`, filter.pod)
  conditions.addAnyOf(destination, filter.destination)
  if (filter.podOrDestination)
    conditions.addText(`array[${alias}.pod, ${destination}] && ${conditions.bind(filter.podOrDestination)}::text[]`)
}

/** Our own SQL with holes for what a caller sent. */
interface Fragment {
  readonly texts: readonly string[]
  readonly parameters: readonly unknown[]
}

export function sql(texts: TemplateStringsArray, ...parameters: readonly unknown[]): Fragment {
  return { texts, parameters }
}

/** `alias` is that of the list's table. Only rows of this account, or of these accounts, are listed. */
export function makeConditions(alias: string, accounts: string | readonly string[]): ConditionsMaker {
  const { values, bind } = bindValues([accounts])
  const texts = [`${alias}.account_id = ${typeof accounts === 'string' ? '$1' : 'any($1::uuid[])'}`]
  const hints: string[] = []
  const labels: string[] = []
  let areFew = false
  return {
    values,
    texts,
    hints,
    labels,
    get areFew() {
      return areFew
    },
    bind,
    add: (fragment) => {
      const { parameters } = fragment
      if (parameters.some((each) => each === null || each === undefined)) return
      texts.push(fragment.texts.reduce((before, after, place) => `${before}${bind(parameters[place - 1])}${after}`))
    },
    addText: (text) => {
      texts.push(text)
    },
    addHint: (text) => {
      hints.push(text)
    },
    addLabel: (term) => {
      labels.push(term)
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
    addAnyOf: (column, parameters) => {
      const wanted = [parameters ?? []].flat()
      if (wanted.length === 1) texts.push(`${column} = ${bind(wanted[0])}`)
      if (wanted.length > 1) texts.push(`${column} = any(${bind(wanted)}::text[])`)
    },
    addRange: (column, range, zone) => {
      if (range === undefined) return
      const { start, end } = range
      const isDay = (bound: string): boolean => zone !== undefined && bound.length === 'YYYY-MM-DD'.length
      const local = `${column} at time zone coalesce(${zone}, 'UTC')`
      // The zone is read only of moments that are on that day somewhere: zones go from UTC-12 to UTC+14.
      if (start !== null && isDay(start)) {
        const day = `${bind(start)}::timestamp`
        texts.push(
          `${column} >= ${day} - interval '14 hours' and (${column} >= ${day} + interval '12 hours' or ${local} >= ${day})`,
        )
      } else if (start !== null) texts.push(`${column} >= ${bind(start)}`)
      if (end !== null && isDay(end)) {
        const next = `(${bind(end)}::timestamp + interval '1 day')`
        texts.push(
          `${column} < ${next} + interval '12 hours' and (${column} < ${next} - interval '14 hours' or ${local} < ${next})`,
        )
      } else if (end !== null) texts.push(`${column} <= ${bind(end)}`)
      // `infinity` in a column means that the value is unknown. Such a row is in no range.
      else if (start !== null) texts.push(`${column} < 'infinity'`)
    },
  }
}
