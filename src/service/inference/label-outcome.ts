/**
 * What a look teaches: the line that knows a number carries it, and the boxes on its bill. It is written in the
 * transaction of the outcome and not folded from the ledger, so that outcomes that an account has deleted stay deleted.
 */

import type {
  TrackingRequestEvent,
  TrackingRequestState,
} from '../../core/requests/tracking-request-state.ts'
import type { ShipmentProjection } from '../../core/shown/projection.ts'
import { canonicalScac, sameCarrier } from '../../inference/carriers.ts'
import { monthOf } from '../../inference/evidence.ts'
import { nodeKey } from '../../inference/node-key.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { allShippingLines } from '../../reference/shipping-lines.ts'
import type { Db } from '../../store/database.ts'
import { insertOutcomes, type NewOutcome, type OutcomeSource } from '../../store/inference/outcomes.ts'
import type { TrackedRequest } from '../../store/journeys/tracking-requests.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'

/** Low, because "we do not know it" may come from a typing error, or from a bill that is not entered yet. */
export const denialWeight = -0.2

export interface Look {
  readonly entry: Pick<LedgerEntry, 'accountId' | 'recordedAt'>
  /** With the number and line that were asked. */
  readonly request: Pick<TrackedRequest, 'id' | 'scac' | 'number' | 'requestType'>
  readonly applied: {
    readonly state: TrackingRequestState
    readonly happened: readonly TrackingRequestEvent[]
    readonly projection: ShipmentProjection | null
  }
  /** The containers that its shipment had before. */
  readonly known: readonly { readonly number: string }[]
}

/** Most looks teach nothing. For these nothing is written. */
export async function labelOutcome(db: Db, look: Look): Promise<void> {
  const { accountId, recordedAt } = look.entry
  const { scac } = look.request
  // `TEST` is no line.
  if (!isLine(scac)) return
  const outcomes = [...confirmedBy(look), ...deniedBy(look)]
  if (outcomes.length === 0) return
  await writeOutcomes(db, { accountId, scac, outcomes, at: recordedAt })
}

/** `scac`: the line that the outcomes with a positive weight confirm. Returns how many outcomes were new. */
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
  // Boxes of one bill were booked together, so they prove less than the same number of bills.
  const weight = 1 / Math.sqrt(Math.max(1, boxes.size))
  const before = new Set(known.map(({ number }) => number))
  const heard = [...boxes].filter((number) => number !== request.number && !before.has(number))
  return [...own, ...heard.map((number) => outcome(look, number, { weight, source: 'bill' }))].flat()
}

/**
 * What lines denied: a container that the line does not know, a bill that the line still did not know at the end of the
 * wait for it, and the lines that did not know the number before the right one was found. A line that did not answer
 * denies nothing. A bill that is still awaited is not denied.
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

/** Empty for a text that is no number to the model. */
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
