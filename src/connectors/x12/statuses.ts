/**
 * The status codes of X12 315 and 322 (element 157 and the dialects that grew beside it): the meaning of each one, and
 * its evidence. A code has no row when partners use it for different things and neither load state nor place decides
 * which. Such a code is passed on as it is, with an issue, and an operator's profile may map it.
 *
 * Without a row on purpose: HR (a hold is released, but it is not stated which one), PX (held for inspection, but it is
 * not stated by whom). TC, FD, NP and DN have a row only in the dialect of terminals, CT only in 315.
 */

import { type Effect, parseEffects } from './effects.ts'

export interface Status {
  readonly code: string
  readonly meaning: string
  readonly effects: readonly Effect[]
  readonly grade: 'S' | 'D' | 'C'
  readonly source: string
}

export type Dialect = 'carrier' | 'terminal'
export interface MessageDialect {
  readonly type: '315' | '322'
  readonly dialect: Dialect
}

/** Where a row applies: both messages, one of them, or a 315 in the dialect of terminals. */
type MessageScope = '315 322' | '315' | '322' | '315 terminal'

/** The row for a code; null when the code has no row for this message and dialect. */
export function findStatus(code: string, { type, dialect }: MessageDialect): Status | null {
  const here = statuses.get(code) ?? []
  const found = here.find(({ where }) =>
    where === '315 terminal' ? type === '315' && dialect === 'terminal' : where.includes(type),
  )
  return found?.status ?? null
}

/** The sources: public samples, and a published guide of a line that names the codes. */
const hamburgSud = 'Hamburg Süd guides: X12 315 4010 v1.1.1, X12 322 4010 v1.0.0'
const samples = 'public 315 and 322 samples and the element 157 list that goes with them'
const decoder = 'public decoder of the 315 dialect of US terminals'
const mapping = 'public mapping of 315 and 322 statuses'

type StatusRow = readonly [
  code: string,
  where: MessageScope,
  effects: string,
  meaning: string,
  grade: Status['grade'],
  source: string,
]

const rows: readonly StatusRow[] = [
  // A container at a gate. The domain decides from the earlier events whether it goes out to be filled or comes in to
  // be shipped.
  ['EE', '315 322', 'GTOT EMPTY', 'empty box dispatched', 'D', samples],
  ['OA', '315 322', 'GTOT', 'out at the gate', 'D', samples],
  ['I', '315 322', 'GTIN', 'in at the gate', 'D', samples],
  ['GI', '322', 'GTIN', 'in at the gate', 'D', samples],
  ['RD', '315', 'GTIN EMPTY', 'box returned', 'D', samples],
  // Ships. Whether the place is the port of loading or of transshipment, the core decides.
  ['AE', '315', 'LOAD VESSEL', 'loaded on a vessel', 'D', samples],
  ['AO', '315', 'LOAD BARGE', 'loaded on a barge', 'D', samples],
  ['VD', '315', 'DEPA VESSEL', 'vessel departed', 'D', samples],
  ['VA', '315', 'ARRI VESSEL', 'vessel arrived', 'D', samples],
  ['UV', '315', 'DISC VESSEL', 'unloaded from a vessel', 'D', samples],
  ['C', '315', 'estimate', 'estimated departure changed', 'D', hamburgSud],
  ['E', '315', 'estimate', 'estimated arrival changed', 'D', hamburgSud],
  ['AG', '315', 'estimate', 'estimated delivery changed', 'D', samples],
  // Trains.
  ['AL', '315 322', 'LOAD RAIL', 'loaded on a train', 'D', samples],
  ['RL', '315 322', 'DEPA RAIL', 'train departed from the first ramp', 'D', samples],
  ['AR', '315 322', 'ARRI RAIL', 'train arrived at the last ramp', 'D', samples],
  ['UR', '315 322', 'DISC RAIL', 'unloaded from a train', 'D', samples],
  ['A', '322', 'ARRI RAIL at_end', 'arrived, on the way or at its end', 'D', samples],
  ['P', '315 322', 'note', 'departed from a place on the way', 'D', samples],
  ['B', '315 322', 'note', 'bad order: the car needs repair', 'D', samples],
  ['CB', '315 322', 'note', 'box tied to its chassis', 'D', samples],
  ['CC', '315 322', 'note', 'box untied from its chassis', 'D', samples],
  // Only the customer may state a delivery.
  ['D', '315', 'note', 'unloading completed at the place of delivery', 'D', samples],
  ['X1', '315', 'note', 'arrived at the place of delivery', 'D', samples],
  // Availability and its days.
  ['AV', '315 322', 'AVPU, available', 'available for delivery', 'D', samples],
  ['NT', '322', 'AVPU, available', 'notified', 'D', samples],
  ['DN', '315 terminal', 'not_available', 'not available for delivery', 'D', samples],
  ['NF', '315 322', 'last_free_day', 'free time is to expire', 'D', samples],
  ['FT', '315', 'note', 'free time has expired', 'D', samples],
  ['AA', '315', 'appointment', 'pick-up appointment made', 'D', hamburgSud],
  // Releases.
  ['CR', '315', 'release freight', 'released by the carrier', 'D', samples],
  ['CT', '315', 'release customs', 'released by customs', 'D', samples],
  ['CU', '315', 'release freight, release customs', 'released by carrier and customs', 'D', samples],
  ['NP', '315 terminal', 'release terminal_charges', 'terminal charges paid', 'D', samples],
  // Holds.
  ['FD', '315 terminal', 'hold freight', 'freight is due', 'D', samples],
  ['TC', '315 terminal', 'hold terminal_charges', 'held for terminal charges', 'D', samples],
  ['PA', '315', 'hold customs', 'intensive customs examination', 'C', decoder],
  ['PB', '315', 'hold customs', 'paperwork insufficient', 'C', decoder],
  ['PC', '315', 'hold customs', 'paperwork disagrees', 'C', decoder],
  ['PD', '315', 'hold customs', 'piece count disagrees', 'C', decoder],
  ['PE', '315', 'hold customs', 'coast guard', 'C', decoder],
  ['PF', '315', 'hold customs', 'federal police', 'C', decoder],
  ['PG', '315', 'hold customs', 'local law enforcement', 'C', decoder],
  ['PH', '315', 'hold customs', 'court order or lien', 'C', decoder],
  ['PI', '315', 'hold customs', 'food and drug agency', 'C', decoder],
  ['PJ', '315', 'hold customs', 'fish and wildlife agency', 'C', decoder],
  ['PK', '315', 'hold customs', 'drug enforcement', 'C', decoder],
  ['PL', '315', 'hold USDA', 'intensive investigation', 'C', decoder],
  ['PM', '315', 'hold USDA', 'producer not registered', 'C', decoder],
  ['PN', '315', 'hold USDA', 'restricted commodity', 'C', decoder],
  ['PO', '315', 'hold USDA', 'insects found', 'C', decoder],
  ['PP', '315', 'hold USDA', 'bacterial contamination', 'C', decoder],
  ['PQ', '315', 'hold customs', 'customs hold at the port of arrival', 'C', decoder],
  ['PR', '315', 'hold customs', 'customs hold at the in-bond destination', 'C', decoder],
  ['PS', '315', 'hold USDA', 'agriculture hold at the port of arrival', 'C', decoder],
  ['PT', '315', 'hold USDA', 'agriculture hold at the in-bond destination', 'C', decoder],
  ['PU', '315', 'hold other:agency', 'hold of another agency at the port of arrival', 'C', decoder],
  ['PV', '315', 'hold other:agency', 'hold of another agency at the in-bond destination', 'C', decoder],
  ['PW', '315', 'hold USDA', 'held for fumigation', 'C', decoder],
  // In-bond moves clear no hold.
  ['IB', '315', 'note', 'in-bond movement authorised', 'D', samples],
  ['IR', '315', 'note', 'in-bond movement', 'D', samples],
  ['RI', '315', 'note', 'in-bond movement changed', 'D', samples],
  // Other statuses of terminals.
  ['SC', '315 322', 'seals_altered', 'seals altered', 'C', mapping],
  ['TM', '315', 'moved_in_terminal', 'moved within the terminal', 'C', mapping],
  ['CZ', '315 terminal', 'note', 'reefer notice', 'C', decoder],
  ['H1', '315 terminal', 'note', 'hazardous cargo notice', 'C', decoder],
  ['OD', '315 terminal', 'note', 'over dimension notice', 'C', decoder],
  ['LD', '315 terminal', 'note', 'late delivery', 'C', decoder],
  ['SA', '315 terminal', 'note', 'split', 'C', decoder],
  ['SB', '315 terminal', 'note', 'consolidation', 'C', decoder],
]

const statuses = Map.groupBy(
  rows.map(([code, where, line, meaning, grade, source]) => {
    const effects = parseEffects(line)
    if (effects === null) throw new Error(`The row of status ${code} is not valid: ${line}`)
    return { where, status: { code, meaning, effects, grade, source } }
  }),
  ({ status }) => status.code,
)
