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
  /** `codes`: UN/LOCODEs of the places that have one of the names. */
  | { readonly kind: 'places'; readonly names: readonly string[]; readonly codes: readonly string[] }
  | { readonly kind: 'days'; readonly operator: Operator; readonly anyOf: readonly Day[] }
  | { readonly kind: 'moment'; readonly operator: Operator; readonly at: string }
  /** ISO instants; `to` is not in it. */
  | { readonly kind: 'window'; readonly from: string; readonly to: string | null }
  | { readonly kind: 'flag'; readonly value: boolean }

/** All of `all` must hold for the value with this name. */
export interface NamedDemands {
  readonly name: string
  readonly all: readonly ValueDemand[]
}

/**
 * A value of a row, in our own SQL. `names`: an exact text; `codes`: the same, where an array means any of its values;
 * `places`: the name of a place, whose UN/LOCODE is `code`; `days`: a date; `momentDays`: a moment that is compared by
 * its day in UTC; `dayPair`: a date between two days; `moments`: a moment; `prefixes`: one of some texts begins with
 * `$text`, in capitals; `flag`: two conditions; `selector`: one, in which `$today` and `$now` may be; `window`: one
 * about what happened from `$from` to `$to`; `unanswerable`: nothing is known of it, so no row is listed; `ids`,
 * `texts`: a condition in which `$given` is the array of them.
 */
export type FilterableValue =
  | PlainValue
  | { readonly kind: 'places'; readonly code: string; readonly name: string }
  /** `only`: a condition on the rows whose value counts. */
  | { readonly kind: 'dayPair'; readonly sql: string; readonly only: string }
  | { readonly kind: 'prefixes' | 'window'; readonly sql: string }
  | {
      readonly kind: 'ids' | 'texts'
      readonly sql: string
      /** The condition that there is a value. */
      readonly present: string
      /** True where an array means any of its values, as for `codes`. */
      readonly isAny?: true
    }
  | { readonly kind: 'flag'; readonly ifTrue: string; readonly ifFalse: string }
  /** `ifFalse`: what `false` means; nothing, if it is missing. */
  | { readonly kind: 'selector'; readonly ifTrue: string; readonly ifFalse?: string }
  /** `because` completes the sentence "No row is listed, because …". */
  | { readonly kind: 'unanswerable'; readonly because: string }
export interface PlainValue {
  readonly kind: 'names' | 'codes' | 'days' | 'momentDays' | 'moments'
  readonly sql: string
  /** Null where the value does not count as present, if that is not `sql` itself. */
  readonly present?: string
  /** True where `sql` is an array of texts, of which one must fit. */
  readonly isArray?: true
  /** True where `sql` is a column in which `infinity` means that the value is unknown. */
  readonly hasInfinity?: true
  /** As in `SortKey`. */
  readonly cost?: number
}
export type FilterableValues = Readonly<Record<string, FilterableValue>>

/** For each demand on the beginning of texts: these texts. An index can find the rows that have one of them. */
export function prefixesOf(
  values: FilterableValues,
  demands: readonly NamedDemands[] = [],
): readonly (readonly string[])[] {
  return demands.flatMap(({ name, all }) =>
    values[name]?.kind === 'prefixes' ? all.flatMap((each) => (each.kind === 'texts' ? [each.anyOf] : [])) : [],
  )
}

/** `now`: ISO instant, whose day in UTC is the one from which days are counted; null for the time of the server. */
export function addDemands(
  conditions: ConditionsMaker,
  values: FilterableValues,
  of: { readonly demands: readonly NamedDemands[] | undefined; readonly now: string | null },
): void {
  for (const { name, all } of of.demands ?? []) {
    const value = values[name]
    if (value === undefined) throw new Error(`there is no value ${name}`)
    for (const demand of all) conditions.addText(writeDemand(conditions, value, { demand, now: of.now }))
  }
}

/** Known is what is true or false. */
function writeFlag(
  { ifTrue, ifFalse = 'true' }: { readonly ifTrue: string; readonly ifFalse?: string },
  demand: Extract<ValueDemand, { kind: 'flag' | 'present' }>,
): string {
  if (demand.kind === 'flag') return demand.value ? ifTrue : ifFalse
  return `${demand.isPresent ? '' : 'not '}(${ifTrue} or ${ifFalse})`
}

function writeDemand(
  { bind }: ConditionsMaker,
  value: FilterableValue,
  { demand, now }: { readonly demand: ValueDemand; readonly now: string | null },
): string {
  const at = (): string => (now === null ? 'now()' : `${bind(now)}::timestamptz`)
  const today = (): string => `(${at()} at time zone 'UTC')::date`
  const writeDay = (day: Day): string =>
    'on' in day ? `${bind(day.on)}::date` : `(${today()} + ${bind(day.afterToday)}::integer)`
  switch (value.kind) {
    case 'unanswerable':
      return 'false'
    case 'flag':
    case 'selector':
      if (demand.kind !== 'flag' && demand.kind !== 'present') break
      return writeFlag(value, demand).replaceAll('$today', today).replaceAll('$now', at)
    case 'prefixes':
      if (demand.kind !== 'texts') break
      return anyOf(demand.anyOf.map((text) => value.sql.replaceAll('$text', () => `upper(${bind(text)}::text)`)))
    case 'window': {
      if (demand.kind !== 'window') break
      const [from, to] = [demand.from, demand.to ?? 'infinity'].map((each) => `${bind(each)}::timestamptz`)
      return value.sql.replaceAll('$from', () => from ?? '').replaceAll('$to', () => to ?? '')
    }
    case 'places':
      if (demand.kind === 'present')
        return `coalesce(${value.code}, ${value.name}) is ${demand.isPresent ? 'not null' : 'null'}`
      if (demand.kind !== 'places') break
      return `(${value.code} = any(${bind(demand.codes)}::text[]) or ${value.code} is null and ${value.name} = any(${bind(demand.names)}::text[]))`
    case 'dayPair':
      if (demand.kind !== 'days') break
      return `(${compareDays('days', value.sql, demand, writeDay)} and ${value.only})`
    case 'ids':
    case 'texts': {
      if (demand.kind === 'present') return demand.isPresent ? value.present : `not ${value.present}`
      if (demand.kind !== 'texts') break
      const given = `${bind(demand.anyOf)}::${value.kind === 'ids' ? 'uuid' : 'text'}[]`
      return value.sql.replaceAll('$given', () => given)
    }
    default:
      switch (demand.kind) {
        case 'present':
          return value.hasInfinity === true
            ? `${value.sql} ${demand.isPresent ? '<' : '='} 'infinity'`
            : `(${value.present ?? value.sql}) is ${demand.isPresent ? 'not null' : 'null'}`
        case 'texts':
          if (value.isArray === true) return `(${value.sql}) && ${bind(demand.anyOf)}::text[]`
          // By `=`, an index can give the order as well.
          return demand.anyOf.length === 1
            ? `(${value.sql}) = ${bind(demand.anyOf[0])}::text`
            : `(${value.sql}) = any(${bind(demand.anyOf)}::text[])`
        case 'moment':
          return `(${value.sql}) ${demand.operator} ${bind(demand.at)}::timestamptz`
        case 'days': {
          const compared = compareDays(value.kind, value.sql, demand, writeDay)
          const isOpen = value.hasInfinity === true && demand.operator.startsWith('>')
          return isOpen ? `(${compared} and ${value.sql} < 'infinity')` : compared
        }
        default:
          break
      }
  }
  throw new Error(`${demand.kind} cannot be demanded of ${value.kind}`)
}

function anyOf(conditions: readonly string[]): string {
  return `(${conditions.join(' or ')})`
}

function compareDays(
  kind: FilterableValue['kind'],
  sql: string,
  { operator, anyOf: days }: ValueDemand & { readonly kind: 'days' },
  writeDay: (day: Day) => string,
): string {
  const compare = kind === 'momentDays' ? compareMoment : compareDay
  return anyOf(days.map((day) => compare(sql, operator, writeDay(day))))
}

function compareDay(sql: string, operator: Operator, day: string): string {
  return `(${sql}) ${operator} ${day}`
}

/** A moment is compared with the ends of the day, so that an index on it serves. */
function compareMoment(sql: string, operator: Operator, day: string): string {
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
