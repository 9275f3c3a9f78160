/**
 * What the filters of the v2 API demand of a value: comparisons with days and moments, presence, one of several texts.
 * A demand holds for no row whose value is unknown, but for the one that the value is not present.
 */

import type { ConditionsMaker } from './conditions.ts'

export type Operator = '=' | '<' | '<=' | '>' | '>='
/** A day, or the number of days after today. */
export type Day = { readonly on: string } | { readonly afterToday: number }

export type ValueDemand =
  | { readonly kind: 'present'; readonly isPresent: boolean }
  | { readonly kind: 'texts'; readonly anyOf: readonly string[] }
  | { readonly kind: 'days'; readonly operator: Operator; readonly anyOf: readonly Day[] }
  | { readonly kind: 'moment'; readonly operator: Operator; readonly at: string }
  | { readonly kind: 'flag'; readonly value: boolean }

/** All of `all` must hold for the value with this name. */
export interface NamedDemands {
  readonly name: string
  readonly all: readonly ValueDemand[]
}

/**
 * A value of a row, in our own SQL. `names`: an exact text; `codes`: the same, where an array means any of its values;
 * `days`: a date; `momentDays`: a moment that is compared by its day in UTC; `moments`: a moment; `prefixes`: of some
 * texts one begins so, where `$` stands for the text in capitals; `flag`: two conditions; `selector`: one, where `$`
 * stands for today.
 */
export type FilterableValue =
  | {
      readonly kind: 'names' | 'codes' | 'days' | 'momentDays' | 'moments'
      readonly sql: string
      /** Null where the value does not count as present, if that is not `sql` itself. */
      readonly present?: string
      /** True where `sql` is an array of texts, of which one must fit. */
      readonly isArray?: true
    }
  | { readonly kind: 'prefixes'; readonly sql: string }
  | { readonly kind: 'flag'; readonly ifTrue: string; readonly ifFalse: string }
  | { readonly kind: 'selector'; readonly ifTrue: string }
export type FilterableValues = Readonly<Record<string, FilterableValue>>

/** `today`: the day in UTC from which days are counted; null for that of the server. */
export function addDemands(
  conditions: ConditionsMaker,
  values: FilterableValues,
  of: { readonly demands: readonly NamedDemands[] | undefined; readonly today: string | null },
): void {
  for (const { name, all } of of.demands ?? []) {
    const value = values[name]
    if (value === undefined) throw new Error(`there is no value ${name}`)
    for (const demand of all) conditions.addText(writeDemand(conditions, value, { demand, today: of.today }))
  }
}

function writeDemand(
  { bind }: ConditionsMaker,
  value: FilterableValue,
  { demand, today }: { readonly demand: ValueDemand; readonly today: string | null },
): string {
  switch (value.kind) {
    case 'flag':
    case 'selector':
      if (demand.kind !== 'flag') break
      if (value.kind === 'flag') return demand.value ? value.ifTrue : value.ifFalse
      return demand.value ? value.ifTrue.replaceAll('$', writeDay(bind, { afterToday: 0 }, today)) : 'true'
    case 'prefixes':
      if (demand.kind !== 'texts') break
      return anyOf(demand.anyOf.map((text) => value.sql.replaceAll('$', `upper(${bind(text)}::text)`)))
    default:
      switch (demand.kind) {
        case 'present':
          return `(${value.present ?? value.sql}) is ${demand.isPresent ? 'not null' : 'null'}`
        case 'texts':
          return value.isArray === true
            ? `(${value.sql}) && ${bind(demand.anyOf)}::text[]`
            : `(${value.sql}) = any(${bind(demand.anyOf)}::text[])`
        case 'moment':
          return `(${value.sql}) ${demand.operator} ${bind(demand.at)}::timestamptz`
        case 'days':
          return anyOf(demand.anyOf.map((day) => compareDay(value, demand.operator, writeDay(bind, day, today))))
        case 'flag':
          break
      }
  }
  throw new Error(`${demand.kind} cannot be demanded of ${value.kind}`)
}

function anyOf(conditions: readonly string[]): string {
  return `(${conditions.join(' or ')})`
}

function writeDay(bind: ConditionsMaker['bind'], day: Day, today: string | null): string {
  if ('on' in day) return `${bind(day.on)}::date`
  const from = today === null ? `(now() at time zone 'UTC')::date` : `${bind(today)}::date`
  return `(${from} + ${bind(day.afterToday)}::integer)`
}

/** A moment is compared with the ends of the day, so that an index on it serves. */
function compareDay(
  { kind, sql }: FilterableValue & { readonly sql: string },
  operator: Operator,
  day: string,
): string {
  if (kind !== 'momentDays') return `(${sql}) ${operator} ${day}`
  const [start, end] = [day, `(${day} + 1)`].map((each) => `(${each}::timestamp at time zone 'UTC')`)
  switch (operator) {
    case '=':
      return `((${sql}) >= ${start} and (${sql}) < ${end})`
    case '<':
    case '>=':
      return `(${sql}) ${operator} ${start}`
    case '<=':
      return `(${sql}) < ${end}`
    case '>':
      return `(${sql}) >= ${end}`
  }
}
