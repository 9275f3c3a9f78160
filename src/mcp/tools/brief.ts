/**
 * `brief`: the morning in at most 2 KB: what is owed, what must be done today, what moved since the brief before, and
 * what nobody knows. Of each credential the server keeps where its next brief begins.
 */

import { isCurrency, type Money, minorDigits } from '../../domain/charges/money.ts'
import { addMs } from '../../domain/values/time.ts'
import { isTimeZone } from '../../domain/values/time-zone.ts'
import { describeDaysLeft } from '../../domain/view/day-count.ts'
import { type EntryList, type EntryView, listEntries } from '../../modules/attention/list-entries.ts'
import { type ChargeSumsPage, everyContainer, sumCharges } from '../../modules/charges/sum-charges.ts'
import { refusedAt } from '../../modules/errors.ts'
import { getBriefPosition, putBriefPosition } from '../../modules/events/brief-position.ts'
import { listNewestChanges } from '../../modules/events/list-changes.ts'
import { type ChangeInWords, wordChanges } from '../../modules/events/word-changes.ts'
import { journeyNow } from '../../modules/service.ts'
import { Type } from '../../platform/json-schema.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { markParts, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { writeNamedMoney } from '../presenters/money.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, number, object, orNull, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'
import { readSince } from './what-changed.ts'

const dayMs = 86_400_000
const newestEvents = 500
/** Of JSON. Together with the money and what is unknown they stay below 2 KB. */
const bytesOfToday = 560
const bytesOfMoved = 460

const openEntries = { reasons: null, shipmentId: null, scac: null, assignedTo: null, state: null } as const

export const brief = defineTool({
  name: 'brief',
  title: 'Brief me',
  about: 'Start here: money, what to do today, what moved since your last brief, what is unknown.',
  effect: 'read',
  // The next brief begins where this one ends.
  isIdempotent: false,
  input: Type.Object(
    {
      time_zone: Type.Optional(Type.String({ description: 'IANA name; UTC by default' })),
      language: Type.Optional(Type.String({ description: 'How numbers are written, such as `de`' })),
      since: Type.Optional(Type.String({ description: '`cursor` or time; by default your last brief' })),
    },
    closed,
  ),
  output: object({
    at: text,
    since: textOrNull,
    money: object({ owed: orNull(texts), named: orNull(texts), at_risk: orNull(texts), until: text }),
    today: list(object({ number: text, port: textOrNull, reason: text, by: textOrNull, said_by: textOrNull })),
    moved: list(object({ number: text, what: text })),
    left_off: object({ today: number, moved: number, events: number }),
    unknown: texts,
    cursor: text,
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    const now = journeyNow(service, context.account.isSandbox)
    const timeZone = readTimeZone(input.time_zone ?? 'UTC')
    const format = moneyFormat(input.language ?? 'en')
    const last = input.since === undefined ? await getBriefPosition(service, context) : null
    const dayBefore = addMs(now, -dayMs)
    const since = last === null ? readSince(input.since, dayBefore) : { after: last.sequence }
    const [entries, charges, newest] = await Promise.all([
      listEntries(service, context, { filter: openEntries, page: { number: 1, size: 10 }, timeZone }),
      sumCharges(service, context, { filter: everyContainer, until: null, after: null, limit: 1, withFees: true }),
      listNewestChanges(service, context, { since, limit: newestEvents }),
    ])
    const changes = await wordChanges(service, context, newest.changes)
    const moved = newestOfEach(changes)
    const today = fit(entries.page.rows.filter(isDue).map(writeEntry), bytesOfToday)
    const shown = fit(moved.map(writeChange), bytesOfMoved)
    const data = {
      at: writeInstant(now, timeZone),
      since:
        last === null ? ('at' in since ? writeInstant(since.at, timeZone) : null) : writeInstant(last.at, timeZone),
      money: writeCharges(charges, format),
      today,
      moved: shown,
      left_off: {
        today: entries.counts.overdue + entries.counts.today - today.length,
        moved: moved.length - shown.length,
        // Older than those that were read.
        events: Math.max(0, newest.events - newestEvents),
      },
      unknown: writeUnknown(entries, charges),
      cursor: String(newest.cursor),
      _response_contract: writeContract(),
    }
    // Only now, so that nothing is skipped by a brief that failed.
    await putBriefPosition(service, context, { sequence: newest.cursor, at: now })
    return makeResult(data, {
      presentation:
        'Money first, then today, then what moved and who says so, then what is unknown. Count what is left off.',
      tools: ['attention', 'what_changed', 'get_charges'],
    })
  },
})

function readTimeZone(given: string): string {
  if (isTimeZone(given)) return given
  throw refusedAt('/time_zone', '`time_zone` is an IANA time zone, such as Europe/Berlin.')
}

type MoneyFormat = (money: Money) => string

/** `1.234,50 EUR` in German. */
function moneyFormat(language: string): MoneyFormat {
  try {
    Intl.getCanonicalLocales(language)
  } catch {
    throw refusedAt('/language', '`language` is a language tag, such as de or en-US.')
  }
  return ({ minor, currency }) => {
    if (!isCurrency(currency)) return writeNamedMoney({ minor, currency })
    const digits = minorDigits(currency)
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    return `${(minor / 10 ** digits).toLocaleString(language, options)} ${currency}`
  }
}

/** `at_risk`: what is added until then unless the clocks stop today. */
function writeCharges({ all, until }: ChargeSumsPage, format: MoneyFormat) {
  const isCounted = all !== null && all.counted > 0
  return {
    owed: isCounted ? all.sums.owed.totals.map(format) : null,
    named: all === null || all.withoutFees === all.containers ? null : all.fees.map(format),
    at_risk: isCounted ? all.sums.avoidable.map(format) : null,
    until,
  }
}

function isDue({ group }: EntryView): boolean {
  return group === 'overdue' || group === 'today'
}

function writeEntry({ number: of, pod, items, actBy }: EntryView) {
  const source = items.flatMap((each) => each.said ?? [])[0]
  return {
    number: markUnlessCode(of),
    port: pod === null ? null : (findPlaceByCode(pod)?.name ?? pod),
    reason: items.map((each) => markParts(each.short, each.foreign)).join('; '),
    by: actBy && `${actBy.on} (${describeDaysLeft(actBy.daysLeft)})`,
    said_by:
      source === undefined ? null : [source.kind, source.code && markUnlessCode(source.code)].filter(Boolean).join(' '),
  }
}

/** The newest change of each container, shipment or request, the newest first. */
function newestOfEach(changes: readonly ChangeInWords[]): readonly ChangeInWords[] {
  const worded = changes.filter((each) => each.text !== null)
  const subjectOf = (each: ChangeInWords) => each.containerId ?? each.shipmentId ?? each.trackingRequestId
  return [...Map.groupBy(worded, subjectOf).values()].flatMap(([newest]) => newest ?? [])
}

function writeChange(change: ChangeInWords) {
  const of = change.containerNumber ?? change.billOfLadingNumber ?? change.requestNumber ?? ''
  return { number: markUnlessCode(of), what: markParts(change.text ?? '', change.foreign) }
}

function fit<Row>(rows: readonly Row[], bytes: number): readonly Row[] {
  let left = bytes
  return rows.filter((row) => {
    left -= Buffer.byteLength(JSON.stringify(row))
    return left > 0
  })
}

/** Of how many containers a kind of money or day is not known. */
function writeUnknown({ unknown }: EntryList, { all }: ChargeSumsPage): readonly string[] {
  const counts = {
    'last free day': unknown.free_time_ended,
    holds: unknown.held,
    fees: all?.withoutFees,
    charges: all === null ? 0 : all.containers - all.counted,
  }
  return Object.entries(counts).flatMap(([what, count]) =>
    count === 0 || count === undefined ? [] : [`${what}: ${count ?? 'more than 10000'} containers`],
  )
}
