/** `get_charges`: what containers cost by the terms on record: one, those of a shipment, or all. */

import { type Money, writeMoney } from '../../domain/charges/money.ts'
import { type ChargeSums, rateOn } from '../../domain/charges/tally.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import {
  type ContainerSums,
  everyContainer,
  isCounted,
  sumCharges,
  type TermsSums,
} from '../../modules/charges/sum-charges.ts'
import { notFound, refusedAt } from '../../modules/errors.ts'
import { Type } from '../../platform/json-schema.ts'
import { fitRows } from '../lists/fit-rows.ts'
import { markForeignText, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { writeNamedMoney } from '../presenters/money.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, numberOrNull, object, orNull, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

/** By the terms on record, null where none count; and what terminals and railways name, null where none has reported. */
const sums = { owed: orNull(texts), forecast: orNull(texts), avoidable: orNull(texts), fees: orNull(texts) }
const item = object({
  containerId: text,
  number: text,
  shipmentId: text,
  ...sums,
  terms: texts,
  unknown: texts,
})
const rowsMax = 25

export const getCharges = defineTool({
  name: 'get_charges',
  title: 'Get charges',
  about: "Demurrage, detention, storage by terms on record; terminals' fees. Of a container, shipment or all.",
  effect: 'read',
  input: Type.Object(
    {
      container_id: Type.Optional(id),
      shipment_id: Type.Optional(id),
      until: Type.Optional(Type.String({ description: 'Last day; by default in two weeks' })),
      after: Type.Optional(Type.String({ format: 'uuid', description: '`next` of the page before' })),
    },
    closed,
  ),
  ids: { container_id: 'container', shipment_id: 'shipment' },
  output: object({
    until: text,
    containers: numberOrNull,
    sums: orNull(object(sums)),
    unknown: texts,
    items: list(item),
    next: textOrNull,
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    const { container_id: containerId = null, shipment_id: shipmentId = null, after = null } = input
    const summed = await sumCharges(service, context, {
      filter: { ...everyContainer, containerId, shipmentId },
      until: input.until === undefined ? null : readDay(input.until),
      after,
      limit: rowsMax,
      withFees: true,
    })
    const { now, rows, all } = summed
    if (rows.length === 0 && containerId !== null) throw notFound('container')
    if (rows.length === 0 && shipmentId !== null && after === null) throw notFound('shipment')
    const counts = { ...all?.unknown, without_fees: all?.withoutFees ?? 0 }
    const unknown = Object.entries(counts).flatMap(([reason, count]) =>
      count === 0 ? [] : [`${count}: ${unknownReasons[reason as keyof typeof unknownReasons]}`],
    )
    const items = fitRows(rows.map((row) => writeRow(row, now)))
    const next = items.length < rows.length ? (rows[items.length - 1]?.id ?? null) : summed.next
    return makeResult(
      {
        until: summed.until,
        containers: all?.containers ?? null,
        sums:
          all &&
          writeSums(all.sums, { isCounted: all.counted > 0, fees: all.withoutFees < all.containers ? all.fees : null }),
        unknown,
        items,
        next,
        _response_contract: writeContract({
          total_is_reliable: unknown.length === 0,
          now: writeInstant(now, null),
        }),
      },
      {
        presentation:
          'Say what is owed, what it will be by `until`, what is saved when it is picked up or returned today, and the fees that a terminal names: they may be about the same days. Never add currencies up. null is unknown and `unknown` counts containers: say so, never "no charges".',
        followUps: next === null ? [] : ['Show more containers?'],
        tools: ['get_container', 'explain_value'],
      },
    )
  },
})

const unknownReasons = {
  no_terms: 'no terms on record count for it',
  undecided: 'its terms depend on something that is not known',
  start: 'no source has reported the event that starts the clock',
  zone: 'the time zone is not known',
  calendar: 'the calendar of its terms is not on record',
  hour_of_start: 'only the day is known on which the clock started, and hours are to be counted',
  working_day: 'its calendar has no working day for a year',
  being_counted: 'it is being counted',
  without_fees: 'no terminal or railway has said whether it has fees',
} as const

function readDay(given: string): string {
  const time = parseEventTime(given.trim())
  if (time?.kind === 'day') return time.on
  throw refusedAt('/until', '`until` is a day, such as 2026-01-31.')
}

function writeRow(row: ContainerSums, now: string) {
  const reasons = [...row.unknown, ...(row.fees === null ? (['without_fees'] as const) : [])]
  return {
    containerId: row.id,
    number: markUnlessCode(row.number),
    shipmentId: row.shipmentId,
    ...writeSums(row.sums, { isCounted: isCounted(row), fees: row.fees }),
    terms: row.terms.map((each) => writeTerms(each, now)),
    unknown: reasons.map((reason) => unknownReasons[reason]),
  }
}

function writeTerms({ terms }: TermsSums, now: string): string {
  const name = `${terms.kind.replace('_', ' ')} by the ${terms.chargedBy.replace('_', ' ')}, terms ${markUnlessCode(terms.code)} version ${terms.version}`
  if (terms.missing !== null) return `${name}: not counted, ${unknownReasons[terms.missing]}`
  const rate = rateOn(terms, now)
  const parts = [
    terms.stoppedOn === null ? null : `stopped on ${terms.stoppedOn}`,
    `last free day ${terms.lastFreeDay?.day ?? 'none'}`,
    terms.chargedFrom === null ? null : `charged from ${terms.chargedFrom.day}`,
    terms.chargedFrom === null || terms.stoppedOn !== null
      ? null
      : rate === null
        ? 'rate not known'
        : `${writeMoney(rate)} a day`,
    // A calendar names its holidays and closures in it.
    terms.sentence && markForeignText(terms.sentence),
  ]
  return `${name}: ${parts.filter((part) => part !== null).join('; ')}`
}

function writeSums(
  { owed, forecast, avoidable }: ChargeSums,
  of: { readonly isCounted: boolean; readonly fees: readonly Money[] | null },
) {
  return {
    owed: of.isCounted ? writeBill(owed) : null,
    forecast: of.isCounted ? writeBill(forecast) : null,
    avoidable: of.isCounted ? avoidable.map(writeMoney) : null,
    fees: of.fees?.map(writeNamedMoney) ?? null,
  }
}

/** Days without a rate are stated beside the money, so that nobody mistakes the sum for the total. */
function writeBill({
  totals,
  chargedDays,
  unpricedDays,
  unknownDays,
}: {
  readonly totals: readonly Money[]
  readonly chargedDays: number
  readonly unpricedDays: number
  readonly unknownDays: number
}): readonly string[] {
  return [
    ...totals.map(writeMoney),
    `${chargedDays} charged days`,
    ...(unpricedDays > 0 ? [`${unpricedDays} of them at rates that are not known`] : []),
    ...(unknownDays > 0 ? [`${unknownDays} days for which the charge is not known`] : []),
  ]
}
