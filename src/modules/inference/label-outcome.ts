/**
 * What is learned from a poll: the line that knows a number carries it, and the containers on its bill. It is written
 * in the transaction of the outcome and not folded from the ledger, so that outcomes that an account has deleted stay
 * deleted.
 */

import type { Db } from '../../db/database.ts'
import type {
  TrackingRequestEvent,
  TrackingRequestState,
} from '../../domain/tracking-requests/tracking-request-state.ts'
import type { ShipmentProjection } from '../../domain/view/projection.ts'
import { canonicalScac, sameCarrier } from '../../inference/carriers.ts'
import { monthOf } from '../../inference/evidence.ts'
import { nodeKey } from '../../inference/node-key.ts'
import type { LedgerEntry } from '../../pipeline/ledger/ledger-sql.ts'
import type { TrackedRequest } from '../../pipeline/projection/tracking-requests-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'
import { insertOutcomes, type NewOutcome, type OutcomeSource } from './outcomes-sql.ts'

/** Low, because "we do not know it" may come from a typing error, or from a bill that is not entered yet. */
export const denialWeight = -0.2

export interface AppliedPoll {
  readonly entry: Pick<LedgerEntry, 'accountId' | 'recordedAt'>
  /** With the number and line of the poll. */
  readonly request: Pick<TrackedRequest, 'id' | 'scac' | 'number' | 'requestType'>
  readonly applied: {
    readonly state: TrackingRequestState
    readonly happened: readonly TrackingRequestEvent[]
    readonly projection: ShipmentProjection | null
  }
  /** The containers that its shipment had before. */
  readonly known: readonly { readonly number: string }[]
}

/** Most polls have nothing to learn from. For these nothing is written. */
export async function labelOutcome(db: Db, poll: AppliedPoll): Promise<void> {
  const { accountId, recordedAt } = poll.entry
  const { scac } = poll.request
  // `TEST` is no line.
  if (!isLine(scac)) return
  const outcomes = [...confirmedOutcomes(poll), ...deniedOutcomes(poll)]
  if (outcomes.length === 0) return
  await writeOutcomes(db, { accountId, scac, outcomes, at: recordedAt })
}

/** `scac`: the line that the outcomes with a positive weight confirm. Returns how many outcomes were new. */
export function writeOutcomes(
  db: Db,
  input: {
    readonly accountId: string
    readonly scac: string
    readonly outcomes: readonly NewOutcome[]
    readonly at: string
  },
): Promise<number> {
  return insertOutcomes(db, { ...input, carrier: scacsOf(input.scac), overrideWeight: denialWeight })
}

/** The SCACs that count as one carrier with this one, itself included. */
export function scacsOf(scac: string): readonly string[] {
  const alike = allShippingLines().filter((line) => sameCarrier(line.scac, scac))
  return [...new Set([canonicalScac(scac), ...alike.map((line) => line.scac)])]
}

function confirmedOutcomes(poll: AppliedPoll): readonly NewOutcome[] {
  const { request, applied, known } = poll
  const isCreated = applied.happened.some(({ kind }) => kind === 'created')
  const ownOutcomes = isCreated ? [toOutcomes(poll, request.number, { weight: 1, source: 'request' })] : []
  const { projection } = applied
  if (projection === null) return ownOutcomes.flat()
  const containerNumbers = new Set(projection.containers.map(({ number }) => number))
  // Containers of one bill were booked together, so they prove less than the same number of bills.
  const weight = 1 / Math.sqrt(Math.max(1, containerNumbers.size))
  const before = new Set(known.map(({ number }) => number))
  const newNumbers = [...containerNumbers].filter((number) => number !== request.number && !before.has(number))
  return [...ownOutcomes, ...newNumbers.map((number) => toOutcomes(poll, number, { weight, source: 'bill' }))].flat()
}

/**
 * What lines denied: a container that the line does not know, a bill that the line still did not know at the end of the
 * wait for it, and the lines that did not know the number before the right one was found. A line that did not answer
 * denies nothing. A bill that is still awaited is not denied.
 */
function deniedOutcomes(poll: AppliedPoll): readonly NewOutcome[] {
  const { request, applied } = poll
  const denied: string[] = []
  for (const event of applied.happened) {
    if (event.kind === 'line_detected') denied.push(...event.ruledOut)
    if (event.kind !== 'failed') continue
    if (event.reason === 'not_found') denied.push(request.scac)
    const isContainer = request.requestType === 'container'
    if (event.reason === 'scac_auto_detect_failed' && isContainer)
      denied.push(...(applied.state.detection?.ruledOut ?? []))
  }
  return denied.flatMap((scac) =>
    toOutcomes({ ...poll, request: { ...request, scac } }, request.number, {
      weight: denialWeight,
      source: 'not_found',
    }),
  )
}

/** Empty for a text that is no number to the model. */
function toOutcomes(
  { entry, request, applied }: AppliedPoll,
  number: string,
  of: { readonly weight: number; readonly source: OutcomeSource },
): readonly NewOutcome[] {
  const node = nodeKey(number)
  if (node === null) return []
  const bill = of.weight > 0 ? (applied.projection?.billOfLadingNumber ?? request.number) : null
  return [
    {
      id: uuidV5(LANDFALL_NAMESPACE, `outcome:${number}:${request.scac}:${request.id}`),
      number,
      node,
      scac: request.scac,
      month: monthOf(new Date(entry.recordedAt)),
      bill,
      ...of,
    },
  ]
}

function isLine(scac: string): boolean {
  return allShippingLines().some((line) => line.scac === scac)
}
