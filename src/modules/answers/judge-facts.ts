/** Compares one fact of a draft with what is known of one subject. */

import { addDays, instantOf, localDateIn } from '../../domain/values/time.ts'
import { writeWithOffset } from '../../domain/values/time-zone.ts'
import { statuses, type Topic, timeOfStatement, topics } from './draft-words.ts'
import type { DraftName } from './find-names.ts'
import { calculated, dayOf, type KnownValue } from './known-values.ts'
import type { DraftFact, DraftReading } from './read-draft.ts'

/** `unclear`: not understood, so nothing is said about it. */
export type Verdict = 'said' | 'differs' | 'nobody' | 'calculated' | 'unclear'

export interface Judgement {
  readonly verdict: Verdict
  /** What is said or calculated: the same, or in place of it. */
  readonly values: readonly KnownValue[]
  readonly note: string | null
}

/** A shipment or container of the draft. */
export interface Subject {
  readonly number: string
  readonly shipmentId: string
  /** The values of the shipment, and of all of its containers or of the one. */
  readonly values: readonly KnownValue[]
  readonly containers: readonly { readonly status: string; readonly values: readonly KnownValue[] }[]
}

export interface Surroundings {
  readonly now: string
  /** The clause of the fact, and what stands before the fact in its sentence, in lower case. */
  readonly clause: string
  readonly before: string
  /** The codes of the place that its sentence names nearest to it. */
  readonly placeCodes: readonly string[]
}

type FactOf<Kind extends DraftReading['kind']> = DraftFact<Extract<DraftReading, { kind: Kind }>>

const insteadMax = 3

export function judge(verdict: Verdict, note: string | null = null, values: readonly KnownValue[] = []): Judgement {
  return { verdict, note, values }
}

/** Said where the value is a source's, calculated where it is ours. */
function confirm(value: KnownValue): Judgement {
  return judge(value.calculation === null ? 'said' : 'calculated', null, [value])
}

function deny(values: readonly KnownValue[], note: string | null = null): Judgement {
  if (values.length === 0) return judge('nobody', note)
  const keyOf = ({ explain, text, attribute }: KnownValue) => explain?.().claimId ?? text ?? attribute
  const distinct = new Map(values.toReversed().map((value) => [keyOf(value), value]))
  return judge('differs', note, [...distinct.values()].toReversed().slice(0, insteadMax))
}

function counts({ lost }: KnownValue): boolean {
  return lost === null
}

/**
 * The first that counts and fits; else, if one that lost fits, what counts in its place. `isNamed`: the draft says what
 * it is about, so that another value of this is another statement.
 */
function compare(values: readonly KnownValue[], fits: (value: KnownValue) => boolean, isNamed: boolean): Judgement {
  const winners = values.filter(counts)
  const found = winners.find((each) => each.calculation === null && fits(each)) ?? winners.find(fits)
  if (found !== undefined) return confirm(found)
  const loser = values.find((each) => !counts(each) && fits(each))
  if (loser === undefined) return isNamed ? deny(winners) : judge('nobody')
  const source = loser.explain?.().source.kind.replace('_', ' ')
  const { verdict: _, ...rest } = deny(winners.filter(({ attribute }) => isNamed || attribute === loser.attribute))
  return { ...rest, verdict: 'differs', note: `The ${source} said it, but it does not count: ${loser.lost}.` }
}

function isAbout(topic: Topic | null): (value: KnownValue) => boolean {
  return ({ attribute }) => topic === null || topics[topic][1].test(attribute)
}

function isAt(codes: readonly string[]): (value: KnownValue) => boolean {
  return ({ place }) => place !== null && codes.includes(place.unlocode ?? '-')
}

export function judgeDate(fact: FactOf<'date'>, { values: all, containers }: Subject, around: Surroundings): Judgement {
  const { days, clock, weekday } = fact
  const day = days?.[0]
  if (days === null) return judge('unclear', 'Not a day that is read: write it as 2026-12-03.')
  if (days.length > 1) return judge('unclear', `It may be ${days.join(' or ')}: write it as 2026-12-03.`)
  if (day !== undefined && weekday !== null && new Date(day).getUTCDay() !== weekday)
    return judge('unclear', `${day} is another day of the week.`)
  const isToday = day === around.now.slice(0, 10)
  const today = confirm(calculated('now', 'the day of this answer', { text: day ?? null }))
  if (timeOfStatement.test(around.before))
    return isToday ? today : judge('unclear', 'When something was said is not compared.')
  const timed = all.filter(({ time }) => time !== null)
  const about = timed.filter((each) => isAbout(fact.topic)(each) && !isOvertaken(each, fact.topic, timed))
  const there = about.filter(isAt(around.placeCodes))
  // A port on the way is meant only where it is named.
  const isOnTheWay = fact.topic === null || /tran[s-]*ship|feeder/.test(around.clause)
  const ends = about.filter(({ attribute }) => isOnTheWay || !/^(?:transshipment|feeder)_/.test(attribute))
  const values = fact.topic !== null && there.some(counts) ? there : ends
  const judged = compare(values, (value) => fitsTime(fact, value, around.now), fact.topic !== null)
  if (judged.verdict === 'said' && fact.topic === 'free_day' && containers.length === 1) {
    // Several may have named a day. Where the draft does not say whose it is, it must be the earliest.
    const [first] = values.filter(counts).toSorted((a, b) => (dayOrNone(a) < dayOrNone(b) ? -1 : 1))
    const isNamed = /\b(?:terminal|line|carrier|rail\w*|terms)\b/.test(around.clause)
    if (first !== undefined && !isNamed && dayOrNone(first) !== day)
      return deny([first], 'The earliest last free day counts; say whose day it is.')
  }
  if (judged.verdict === 'said' || judged.verdict === 'calculated') return judged
  const onDay = clock === null ? [] : values.filter((each) => counts(each) && dayOrNone(each) === day)
  if (onDay.length > 0) return deny(onDay, 'Only the day is right.')
  return judged.verdict === 'nobody' && fact.topic === null && isToday ? today : judged
}

/** An estimate of what has happened since, unless the draft calls it an estimate. */
function isOvertaken({ attribute }: KnownValue, topic: Topic | null, values: readonly KnownValue[]): boolean {
  const [, leg, which] = /^(pol|pod|destination|ind)_et([ad])_at$/.exec(attribute) ?? []
  if (leg === undefined || (topic !== 'arrival' && topic !== 'departure')) return false
  return values.some((each) => counts(each) && each.attribute === `${leg}_at${which}_at`)
}

function fitsTime(
  { away, clock, instant, ...fact }: FactOf<'date'>,
  { time: placed }: KnownValue,
  now: string,
): boolean {
  if (placed === null || fact.days === null) return false
  const days = away === null ? fact.days : [addDays(localDateIn(now, placed.timeZone), away)]
  if (clock === null) return days.includes(dayOf(placed))
  if (placed.time.kind === 'day') return false
  const { at, zoneUsed } = instantOf(placed.time, placed.timeZone)
  if (instant !== null) return zoneUsed !== 'UTC-assumed' && at.slice(0, 16) === instant.slice(0, 16)
  const local = placed.time.kind === 'local' ? placed.time.local : writeWithOffset(at, placed.timeZone)
  return local.slice(11, 16) === clock && (days.length === 0 || days.includes(local.slice(0, 10)))
}

function dayOrNone({ time }: KnownValue): string {
  return time === null ? '-' : dayOf(time)
}

export function judgeAmount(fact: FactOf<'amount'>, subject: Subject, { clause }: Surroundings): Judgement {
  const { units, values, tolerance } = fact
  const [unit] = units
  if (unit === undefined) {
    const judged = judgeNumber(fact, subject)
    return judged.verdict === 'nobody' && fact.topic === null ? judge('unclear', 'A number without a unit.') : judged
  }
  if (unit === 'containers' && values.every((each) => each < subject.containers.length))
    return judge('unclear', `A part of the ${subject.containers.length} containers.`)
  if (fact.topic === 'free_day' && /(?<!last )free (?:time|days?) (?:of|is)\b/.test(clause))
    return judge('unclear', 'Lengths of free time are not compared.')
  const topic = unit === 'hours' && clause.search(topics.delay[0]) >= 0 ? 'delay' : fact.topic
  const measured = subject.values.filter((each) => units.includes(each.amount?.unit ?? '-') && isAbout(topic)(each))
  const isNear = (value: number) => values.some((each) => Math.abs(Math.abs(value) - each) <= tolerance)
  return compare(measured, ({ amount }) => amount !== null && isNear(amount.value), topic !== null || unit !== 'hours')
}

export function plainNumber(text: string | null): string {
  return (text ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '')
}

export function judgeNumber({ text, topic }: Pick<DraftFact, 'text' | 'topic'>, { values }: Subject): Judgement {
  const texts = values.filter((each) => each.amount === null && each.time === null && isAbout(topic)(each))
  return compare(texts, (value) => plainNumber(value.text) === plainNumber(text), topic !== null)
}

const roles = [
  [/\b(?:port of discharge|discharge port|pod)\b/, /^port_of_discharge_locode$/],
  [/\b(?:port of (?:loading|lading)|pol|origin)\b/, /^port_of_lading_locode$/],
  [/\b(?:destination|place of delivery)\b/, /^destination_(?:locode|[ea]ta_at)$|^ind_[ea]ta_at$/],
] as const
/** What is shown in place of a wrong name. */
const rightful = {
  ship: /vessel_name$/,
  line: /^shipping_line$/,
  terminal: /^terminal$/,
  customer: /^customer/,
} as const

export function judgeName({ kind, plain, codes }: DraftName, { values }: Subject, { before }: Surroundings): Judgement {
  if (kind === 'name') return judge('nobody')
  const named = values.filter(({ names }) => names?.kind === kind)
  const fits = ({ names, place }: KnownValue) =>
    names?.plain.some((each) => each === plain || codes.includes(each)) === true ||
    codes.some((code) => place?.unlocode?.startsWith(code) === true)
  if (kind !== 'place') {
    const judged = compare(named, fits, false)
    return judged.verdict === 'nobody'
      ? deny(named.filter((each) => counts(each) && rightful[kind].test(each.attribute)))
      : judged
  }
  const [role] = roles
    .map(([words, attribute]) => ({ attribute, at: before.search(words) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => b.at - a.at)
  if (role !== undefined)
    return compare(
      named.filter(({ attribute }) => role.attribute.test(attribute)),
      fits,
      true,
    )
  const judged = compare(named, fits, false)
  const isArrival = /\b(?:to|at|in|arriv\w*|reach\w*)\b[^.]{0,20}$/.test(before)
  return judged.verdict === 'nobody' && isArrival
    ? deny(named.filter((each) => counts(each) && roles[0][1].test(each.attribute)))
    : judged
}

/** Of a shipment all containers must have the status. */
export function judgeStatus(fact: FactOf<'status'>, subject: Subject, { placeCodes }: Surroundings): Judgement {
  const { status, isNegated } = fact
  if (isNegated === null) return judge('unclear', 'Whether this is stated is not understood.')
  const find = (name: string) => subject.values.find((each) => each.attribute === name && counts(each))
  if (status === 'late' || status === 'early' || status === 'on_time') {
    const value = find('slip_since_first_estimate_hours') ?? find('slip_since_plan_hours')
    const slip = value?.amount?.value ?? 0
    const isSo = status === 'late' ? slip > 0 : status === 'early' ? slip < 0 : Math.abs(slip) < 24
    return value === undefined ? judge('nobody', notKnown) : isSo === isNegated ? deny([value]) : confirm(value)
  }
  if (status === 'rolled' || status === 'cancelled') {
    const value = find(status)
    return value === undefined ? judge('nobody', notKnown) : isNegated ? deny([value]) : confirm(value)
  }
  const judged = subject.containers.map((container) => {
    const { is, proof } = readStatus(fact, container, placeCodes)
    if (is === null || proof === undefined) return judge('nobody', notKnown)
    return is === isNegated ? deny([proof], `The status is ${container.status}.`) : confirm(proof)
  })
  return (
    judged.find(({ verdict }) => verdict !== 'said') ?? judged[0] ?? judge('nobody', 'No source has named a container.')
  )
}

const notKnown = 'No source has said so, or the opposite.'

/** Whether a container has the status, and the value that shows it. Null: not known. */
function readStatus(
  { status, text }: FactOf<'status'>,
  container: Subject['containers'][number],
  placeCodes: readonly string[],
): { readonly is: boolean | null; readonly proof: KnownValue | undefined } {
  const values = container.values.filter(counts)
  const find = (name: string) => values.find(({ attribute }) => attribute === name)
  const available = find('available_for_pickup')
  const isOut = statuses.picked_up.those?.some((each) => each === container.status)
  if (status === 'available' && isOut) return { is: false, proof: find('current_status') }
  if (status === 'available')
    return { is: available === undefined ? null : available.text === 'true', proof: available }
  if (status === 'held' || status === 'released') {
    const holds = find('holds_at_pod_terminal')
    const name =
      status === 'released' ? 'customs' : /\b(?:customs|freight|usda|vacis|tmf)\b/.exec(text.toLowerCase())?.[0]
    const isHeld = (holds?.text ?? 'none') !== 'none' && holds?.text?.toLowerCase().includes(name ?? '') === true
    // A terminal that says whether it is available would name its holds.
    const proof = holds ?? available
    return { is: proof === undefined ? null : isHeld === (status === 'held'), proof }
  }
  const { proof: own, onTheWay, those = [] } = statuses[status]
  const happened = values.filter(({ attribute, time }) => time !== null && own?.test(attribute) === true)
  const moves = values.filter(({ attribute, time }) => time !== null && onTheWay?.test(attribute) === true)
  // Where its sentence names a port of the journey, it must have happened there.
  const isThere = isAt(placeCodes)
  const isBound = onTheWay !== undefined && values.some(isThere)
  const proof = (isBound ? [...happened, ...moves].filter(isThere) : happened)[0]
  const is = proof !== undefined || those.some((each) => each === container.status)
  return { is, proof: proof ?? find('current_status') }
}
