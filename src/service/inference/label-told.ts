/**
 * What inference learns from messages of partners, also about boxes that nobody tracks. A line's own message is about
 * its own box and bill. A terminal's message names the operator of the box, or the bill, whose prefix names the line.
 * Outcomes are written together with the message, for the account of its channel only. A channel of the whole
 * installation teaches nobody.
 */

import { parseContainerNumber } from '../../core/values/identifiers.ts'
import { canonicalScac } from '../../inference/carriers.ts'
import { monthOf } from '../../inference/evidence.ts'
import { findOperator } from '../../inference/liner-codes.ts'
import { nodeKey } from '../../inference/node-key.ts'
import { readNumber } from '../../inference/number.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { readBoxReports } from '../../sources/edifact/carried-boxes.ts'
import { decodeEdifact, isEdifact, readInterchange } from '../../sources/edifact/interchange.ts'
import type { SpokenOf } from '../../sources/told.ts'
import type { ToldChannel } from '../../store/channels/channels.ts'
import type { Db } from '../../store/database.ts'
import { type Companion, putCompanions } from '../../store/inference/companions.ts'
import type { NewOutcome } from '../../store/inference/outcomes.ts'
import { writeOutcomes } from './label-outcome.ts'

export interface LabelledPart {
  readonly about: readonly SpokenOf[]
  /** When it was said, ISO instant. */
  readonly at: string
}

type Teacher = Pick<ToldChannel, 'accountId' | 'speakerKind' | 'speakerCode' | 'source' | 'isFirstHand'>

/**
 * A message seldom says how many boxes its bill has. So each box counts as one of four, or as one of as many as the
 * delivery names.
 */
const boxesMin = 4
/** Statements about a number without a bill count as the same trip within this many months. */
const tripMonths = 3

/** `body`: the whole delivery. `parts`: those parts of it that are new. */
export async function labelTold(
  db: Db,
  channel: Teacher,
  { parts, body }: { readonly parts: readonly LabelledPart[]; readonly body: Buffer },
): Promise<void> {
  const { accountId } = channel
  if (accountId === null || !channel.isFirstHand || parts.length === 0) return
  const lines = linesOf(channel, body)
  const source = channel.speakerKind === 'shipping_line' ? 'told' : 'seen'
  const told = parts.flatMap((part) => toldBy(part, lines))
  const [at] = parts.map((part) => part.at).toSorted((a, b) => (a > b ? -1 : 1))
  await putCompanions(db, {
    accountId,
    companions: parts.flatMap((part) => untoldOf(part, lines)),
    at: at ?? '',
  })
  const boxes = Map.groupBy(told, ({ bill }) => bill)
  const sizeOf = (bill: string | null): number =>
    bill === null ? boxesMin : Math.max(boxesMin, boxes.get(bill)?.filter(({ isBox }) => isBox).length ?? 0)
  // A statement for each line and day, not for each part.
  for (const of of Map.groupBy(told, ({ scac, at }) => `${scac} ${at.slice(0, 10)}`).values()) {
    const [{ scac, at: saidAt } = nobody] = of.toSorted((a, b) => (a.at > b.at ? -1 : 1))
    const outcomes = new Map(of.map((each) => [each.number, outcomeOf(each, sizeOf(each.bill), source)]))
    await writeOutcomes(db, { accountId, scac, outcomes: [...outcomes.values()].flat(), at: saidAt })
  }
}

interface Told {
  readonly number: string
  readonly isBox: boolean
  readonly scac: string
  readonly bill: string | null
  readonly at: string
}

const nobody = { scac: '', at: '' }

/** The line of a box, which may be known from the bill named with it; null where the message does not say. */
type FindLine = (box: string | null, bill: string | null) => string | null

function linesOf({ speakerKind, speakerCode, source }: Teacher, body: Buffer): FindLine {
  if (speakerKind === 'shipping_line') {
    const scac = lineOf(speakerCode)
    return () => scac
  }
  const operators = source === 'edifact' ? operatorsIn(body) : new Map<string, string | null>()
  return (box, bill) => operators.get(box ?? '') ?? lineOfBill(bill)
}

function lineOf(code: string): string | null {
  return findShippingLine(canonicalScac(code))?.scac ?? null
}

/**
 * Uses the prefix that a line writes before its bill numbers. The shape of a number without prefix would only be a
 * guess.
 */
function lineOfBill(bill: string | null): string | null {
  const reading = bill === null ? null : readNumber(bill)
  return reading?.kind === 'shipment' && reading.prefixScac !== null ? lineOf(reading.prefixScac) : null
}

/** Null for a box for which two operators are named. */
function operatorsIn(body: Buffer): ReadonlyMap<string, string | null> {
  const text = decodeEdifact(body)
  const found = new Map<string, string | null>()
  if (!isEdifact(text)) return found
  for (const { number, carrier } of readBoxReports(readInterchange(text)).flatMap(({ boxes }) => boxes)) {
    const parsed = parseContainerNumber(number)
    const scac = carrier === null ? null : findOperator(carrier)
    if (!parsed.ok || scac === null) continue
    const other = found.get(parsed.value)
    found.set(parsed.value, other === undefined || other === scac ? scac : null)
  }
  return found
}

function numbersIn({ about }: LabelledPart) {
  const of = (kind: SpokenOf['kind']) =>
    about.filter((each) => each.kind === kind).map(({ number }) => number)
  const boxes = of('container').filter((number) => parseContainerNumber(number).ok)
  return { documents: [...of('bill_of_lading'), ...of('booking')], boxes }
}

/** Boxes of a bill whose line nobody names. It is still known that they travel together. */
function untoldOf(part: LabelledPart, lineFor: FindLine): readonly Companion[] {
  const { documents, boxes } = numbersIn(part)
  const [bill] = documents
  if (bill === undefined) return []
  return boxes.flatMap((number) => (lineFor(number, bill) === null ? [{ bill, number }] : []))
}

function toldBy(part: LabelledPart, lineFor: FindLine): readonly Told[] {
  const { documents, boxes } = numbersIn(part)
  const [bill = null] = documents
  const told = (number: string, isBox: boolean): readonly Told[] => {
    const of = isBox ? bill : number
    const scac = lineFor(isBox ? number : null, of)
    return scac === null ? [] : [{ number, isBox, scac, bill: of, at: part.at }]
  }
  return [
    ...boxes.flatMap((number) => told(number, true)),
    ...documents.flatMap((number) => told(number, false)),
  ]
}

function outcomeOf(
  { number, isBox, scac, bill, at }: Told,
  boxes: number,
  source: 'told' | 'seen',
): readonly NewOutcome[] {
  const node = nodeKey(number)
  if (node === null || node.startsWith('c:') !== isBox) return []
  const month = monthOf(new Date(at))
  const trip = bill ?? String(Math.floor(month / tripMonths))
  return [
    {
      id: uuidV5(LANDFALL_NAMESPACE, `outcome:${number}:${scac}:told:${trip}`),
      number,
      node,
      scac,
      weight: isBox ? 1 / Math.sqrt(boxes) : 1,
      month,
      bill,
      source,
    },
  ]
}
