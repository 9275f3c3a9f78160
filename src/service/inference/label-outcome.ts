/**
 * What a look teaches: the line that knows a number has it, and the boxes on its bill. Written in the transaction of the
 * outcome itself and not folded from the ledger, so that what an account had forgotten stays forgotten.
 */

import type { ShipmentProjection } from '../../core/projection.ts'
import type { TrackingRequestEvent, TrackingRequestState } from '../../core/tracking-request-state.ts'
import { canonicalScac, sameCarrier } from '../../inference/carriers.ts'
import { monthOf } from '../../inference/evidence.ts'
import { nodeKey } from '../../inference/node-key.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'
import type { Db } from '../../store/database.ts'
import { insertOutcomes, type NewOutcome, type OutcomeSource } from '../../store/inference/outcomes.ts'
import type { TrackedRequest } from '../../store/journeys/tracking-requests.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'

/** "We do not know it" may come of a typing error, or of a bill that is not entered yet. */
export const denialWeight = -0.2

export interface Look {
  readonly entry: Pick<LedgerEntry, 'accountId' | 'recordedAt'>
  /** As it was asked. */
  readonly request: Pick<TrackedRequest, 'id' | 'scac' | 'number' | 'requestType'>
  readonly applied: {
    readonly state: TrackingRequestState
    readonly happened: readonly TrackingRequestEvent[]
    readonly projection: ShipmentProjection | null
  }
  /** The containers that its shipment had before. */
  readonly known: readonly { readonly number: string }[]
}

/** Nothing to write, as with most looks, costs nothing. */
export async function labelOutcome(db: Db, look: Look): Promise<void> {
  const { accountId, recordedAt } = look.entry
  const { scac } = look.request
  // It is no line: `scac: TEST`.
  if (!isLine(scac)) return
  const outcomes = [...confirmedBy(look), ...deniedBy(look)]
  if (outcomes.length === 0) return
  await writeOutcomes(db, { accountId, scac, outcomes, at: recordedAt })
}

/** `scac` is whom the positive ones are of. Returns how many were new. */
export function writeOutcomes(
  db: Db,
  told: {
    readonly accountId: string
    readonly scac: string
    readonly outcomes: readonly NewOutcome[]
    readonly at: string
  },
): Promise<number> {
  return insertOutcomes(db, { ...told, carrier: scacsOf(told.scac), overrideWeight: denialWeight })
}

/** The SCACs that count as one carrier with this one, itself included. */
export function scacsOf(scac: string): readonly string[] {
  const alike = allShippingLines().filter((line) => sameCarrier(line.scac, scac))
  return [...new Set([canonicalScac(scac), ...alike.map((line) => line.scac)])]
}

function confirmedBy(look: Look): readonly NewOutcome[] {
  const { request, applied, known } = look
  const isCreated = applied.happened.some(({ kind }) => kind === 'created')
  const own = isCreated ? [outcome(look, request.number, { weight: 1, source: 'request' })] : []
  const { projection } = applied
  if (projection === null) return own.flat()
  const boxes = new Set(projection.containers.map(({ number }) => number))
  // Boxes of one bill were booked together: they say less than as many bills.
  const weight = 1 / Math.sqrt(Math.max(1, boxes.size))
  const before = new Set(known.map(({ number }) => number))
  const heard = [...boxes].filter((number) => number !== request.number && !before.has(number))
  return [...own, ...heard.map((number) => outcome(look, number, { weight, source: 'bill' }))].flat()
}

/**
 * A box that the line does not know, and a bill that it has not known for as long as one waits; besides the lines that
 * were asked in vain before the right one. Never a line that did not answer, nor a bill that is only awaited.
 */
function deniedBy(look: Look): readonly NewOutcome[] {
  const { request, applied } = look
  const denied: string[] = []
  for (const event of applied.happened) {
    if (event.kind === 'line_detected') denied.push(...event.ruledOut)
    if (event.kind !== 'failed') continue
    if (event.reason === 'not_found') denied.push(request.scac)
    const isBox = request.requestType === 'container'
    if (event.reason === 'scac_auto_detect_failed' && isBox)
      denied.push(...(applied.state.detection?.ruledOut ?? []))
  }
  return denied.flatMap((scac) =>
    outcome({ ...look, request: { ...request, scac } }, request.number, {
      weight: denialWeight,
      source: 'not_found',
    }),
  )
}

/** None for what is no number to the model. */
function outcome(
  { entry, request, applied }: Look,
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
