/**
 * What inference learns from messages of partners, also about containers that nobody tracks. A line's own message is
 * about its own container and bill. A terminal's message names the operator of the container, or the bill, whose prefix
 * names the line. Outcomes are written together with the message, for the account of its channel only. From a channel
 * of the whole installation nothing is learned.
 */

import type { MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import { parseContainerNumber } from '../../domain/values/identifiers.ts'
import { canonicalScac } from '../../inference/carriers.ts'
import { monthOf } from '../../inference/evidence.ts'
import { nodeKey } from '../../inference/node-key.ts'
import { readNumber } from '../../inference/number.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import type { InboundChannel } from '../channels/inbound-channels-sql.ts'
import { type Companion, putCompanions } from './companions-sql.ts'
import { writeOutcomes } from './label-outcome.ts'
import type { Operators } from './operators-in.ts'
import type { NewOutcome } from './outcomes-sql.ts'

export interface LabelledMessagePart {
  readonly about: readonly MentionedNumber[]
  /** When it was stated, ISO instant. */
  readonly at: string
}

export type LabelSource = Pick<InboundChannel, 'accountId' | 'speakerKind' | 'source' | 'isFirstHand'>

/**
 * A message seldom states how many containers its bill has. So each container counts as one of four, or as one of as
 * many as the delivery names.
 */
const containersMin = 4
/** Statements about a number without a bill count as the same trip within this many months. */
const tripMonths = 3

/** Whether the line of a container is learned from the operator that the delivery names. */
export function learnsOperators({ accountId, isFirstHand, speakerKind, source }: LabelSource): boolean {
  return accountId !== null && isFirstHand && speakerKind !== 'shipping_line' && source === 'edifact'
}

/** `parts`: the new message parts of a delivery. `operators`: the lines that it names for their containers. */
export async function labelMessageParts(
  db: Db,
  channel: LabelSource & Pick<InboundChannel, 'speakerCode'>,
  { messageParts, operators }: { readonly messageParts: readonly LabelledMessagePart[]; readonly operators: Operators },
): Promise<void> {
  const { accountId } = channel
  if (accountId === null || !channel.isFirstHand || messageParts.length === 0) return
  const lines = linesOf(channel, operators)
  const source = channel.speakerKind === 'shipping_line' ? 'told' : 'seen'
  const statements = messageParts.flatMap((messagePart) => extractStatements(messagePart, lines))
  const [at] = messageParts.map((messagePart) => messagePart.at).toSorted((a, b) => (a > b ? -1 : 1))
  await putCompanions(db, {
    accountId,
    companions: messageParts.flatMap((messagePart) => companionsOf(messagePart, lines)),
    at: at ?? '',
  })
  const byBill = Map.groupBy(statements, ({ bill }) => bill)
  const sizeOf = (bill: string | null): number =>
    bill === null
      ? containersMin
      : Math.max(containersMin, byBill.get(bill)?.filter(({ isContainer }) => isContainer).length ?? 0)
  // A statement for each line and day, not for each message part.
  for (const of of Map.groupBy(statements, ({ scac, at }) => `${scac} ${at.slice(0, 10)}`).values()) {
    const [{ scac, at: statedAt } = nobody] = of.toSorted((a, b) => (a.at > b.at ? -1 : 1))
    const outcomes = new Map(of.map((each) => [each.number, outcomeOf(each, sizeOf(each.bill), source)]))
    await writeOutcomes(db, { accountId, scac, outcomes: [...outcomes.values()].flat(), at: statedAt })
  }
}

interface LineStatement {
  readonly number: string
  readonly isContainer: boolean
  readonly scac: string
  readonly bill: string | null
  readonly at: string
}

const nobody = { scac: '', at: '' }

/**
 * The line of a container, which may be known from the bill named with it; null where the message does not state it.
 */
type FindLine = (containerNumber: string | null, bill: string | null) => string | null

function linesOf(
  { speakerKind, speakerCode }: Pick<InboundChannel, 'speakerKind' | 'speakerCode'>,
  operators: Operators,
): FindLine {
  if (speakerKind === 'shipping_line') {
    const scac = lineOf(speakerCode)
    return () => scac
  }
  return (containerNumber, bill) => operators.get(containerNumber ?? '') ?? lineOfBill(bill)
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

function numbersIn({ about }: LabelledMessagePart) {
  const of = (kind: MentionedNumber['kind']) => about.filter((each) => each.kind === kind).map(({ number }) => number)
  const containerNumbers = of('container').filter((number) => parseContainerNumber(number).ok)
  return { documents: [...of('bill_of_lading'), ...of('booking')], boxes: containerNumbers }
}

/** Containers of a bill whose line no source names. It is still known that they travel together. */
function companionsOf(messagePart: LabelledMessagePart, lineFor: FindLine): readonly Companion[] {
  const { documents, boxes: containerNumbers } = numbersIn(messagePart)
  const [bill] = documents
  if (bill === undefined) return []
  return containerNumbers.flatMap((number) => (lineFor(number, bill) === null ? [{ bill, number }] : []))
}

function extractStatements(messagePart: LabelledMessagePart, lineFor: FindLine): readonly LineStatement[] {
  const { documents, boxes: containerNumbers } = numbersIn(messagePart)
  const [bill = null] = documents
  const toStatements = (number: string, isContainer: boolean): readonly LineStatement[] => {
    const of = isContainer ? bill : number
    const scac = lineFor(isContainer ? number : null, of)
    return scac === null ? [] : [{ number, isContainer, scac, bill: of, at: messagePart.at }]
  }
  return [
    ...containerNumbers.flatMap((number) => toStatements(number, true)),
    ...documents.flatMap((number) => toStatements(number, false)),
  ]
}

function outcomeOf(
  { number, isContainer, scac, bill, at }: LineStatement,
  containerCount: number,
  source: 'told' | 'seen',
): readonly NewOutcome[] {
  const node = nodeKey(number)
  if (node === null || node.startsWith('c:') !== isContainer) return []
  const month = monthOf(new Date(at))
  const trip = bill ?? String(Math.floor(month / tripMonths))
  return [
    {
      id: uuidV5(LANDFALL_NAMESPACE, `outcome:${number}:${scac}:told:${trip}`),
      number,
      node,
      scac,
      weight: isContainer ? 1 / Math.sqrt(containerCount) : 1,
      month,
      bill,
      source,
    },
  ]
}
