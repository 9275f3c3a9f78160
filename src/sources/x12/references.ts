/**
 * What the references (N9) of a message say about a box, by their qualifier (element 128 and the dialect of US
 * terminals). The qualifiers of terminals mean other things to lines, so they are read only in the dialect of
 * terminals.
 */

import type { FeeWord } from '../../core/statements/observation.ts'
import type { Dialect } from './statuses.ts'

/** What the value of a qualifier is. */
export type Meaning =
  | { readonly kind: 'bill' | 'booking' | 'equipment' | 'vessel' | 'rail_carrier' | 'terminal' | 'fees_owed' }
  | { readonly kind: 'fact'; readonly fact: ReferenceFact }
  | {
      readonly kind: 'fee'
      readonly type: FeeWord['type']
      readonly description: string
      /** The hold that stands until the fee is paid. */
      readonly hold: 'TMF' | null
    }
  /** Known, but nothing that we track. */
  | { readonly kind: 'note' }

export const referenceFacts = [
  'seal_number',
  'yard_location',
  'pickup_number',
  'it_number',
  'chassis_number',
] as const
export type ReferenceFact = (typeof referenceFacts)[number]

/** Null for a qualifier that is in neither table. */
export function findMeaning(qualifier: string, dialect: Dialect): Meaning | null {
  const terminals = dialect === 'terminal' ? ofTerminals.get(qualifier) : undefined
  return terminals ?? ofAll.get(qualifier) ?? null
}

const note = { kind: 'note' } as const

/** Public samples (D), and Hamburg Süd's 315 guide v1.1.1 for RR, MCI, WU, CO and SI (D). YS: public decoder (C). */
const ofAll: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['BM', { kind: 'bill' }],
  ['BN', { kind: 'booking' }],
  ['EQ', { kind: 'equipment' }],
  ['SN', { kind: 'fact', fact: 'seal_number' }],
  ['YS', { kind: 'fact', fact: 'yard_location' }],
  ['RR', { kind: 'rail_carrier' }],
  ['WU', { kind: 'vessel' }],
  ...['SCA', 'MCI', 'CO', 'SI', '4F', 'PO', 'ZZ'].map((code): [string, Meaning] => [code, note]),
])

/** From the public decoder of the dialect of US terminals (C). */
const ofTerminals: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['GC', { kind: 'fact', fact: 'pickup_number' }],
  ['TT', { kind: 'terminal' }],
  ['FI', { kind: 'fees_owed' }],
  ['4I', fee('demurrage', 'day 1')],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((count): [string, Meaning] => [
    `4I${count}`,
    fee('demurrage', `day ${count + 1}`),
  ]),
  ['4IV', fee('exam', 'VACIS exam fee')],
  ['4IE', fee('exam', 'exam fee')],
  ['USD', fee('exam', 'USDA exam fee')],
  ['ATG', fee('exam', 'tailgate exam fee')],
  ['DWT', fee('extended_dwell_time', 'extended dwell fee')],
  ['TMF', { kind: 'fee', type: 'other', description: 'traffic mitigation fee', hold: 'TMF' }],
  ['22', fee('other', 'special charge')],
  ['CTF', fee('other', 'clean truck fee')],
  ['HZP', fee('other', 'hazardous placard fee')],
  ['FCH', fee('other', 'flip charge')],
  ['BBC', fee('other', 'break-bulk charge')],
  ['DVF', fee('other', 'devanning fee')],
  ['GEN', fee('other', 'generator set fee')],
  ['SCR', fee('other', 'sealing fee')],
  ['WCR', fee('other', 'weighing fee')],
  ['GEC', fee('other', 'grounded export charge')],
  ['DRC', fee('other', 'drayage charge')],
  ['EGF', fee('other', 'export gate fee')],
  ['IGF', fee('other', 'import gate fee')],
  ['OOG', fee('other', 'out-of-gauge flip fee')],
  ['RF', fee('other', 'rehandling fee')],
  ...['AAO', 'TI', 'GCD', 'ZCD', 'L1'].map((code): [string, Meaning] => [code, note]),
])

function fee(type: FeeWord['type'], description: string): Meaning {
  return { kind: 'fee', type, description, hold: null }
}
