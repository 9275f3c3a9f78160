/**
 * What the references (N9) of a message state about a container, by their qualifier (element 128 and the dialect of US
 * terminals). The qualifiers of terminals mean other things to carriers, so they are read only in the dialect of
 * terminals.
 */

import type { FeeStatement } from '../../domain/statements/observation.ts'
import type { Dialect } from './statuses.ts'

/** What the value of a qualifier is. */
export type Meaning =
  | { readonly kind: 'bill' | 'booking' | 'equipment' | 'vessel' | 'rail_carrier' | 'terminal' | 'fees_owed' }
  | { readonly kind: 'fact'; readonly fact: ReferenceFact }
  | {
      readonly kind: 'fee'
      readonly type: FeeStatement['type']
      readonly description: string
      /** The hold that is active until the fee is paid. */
      readonly hold: 'TMF' | null
    }
  /** Known, but nothing that we track. */
  | { readonly kind: 'note' }

export const referenceFacts = ['seal_number', 'yard_location', 'pickup_number', 'it_number', 'chassis_number'] as const
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
  ['4I', makeFee('demurrage', 'day 1')],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((count): [string, Meaning] => [
    `4I${count}`,
    makeFee('demurrage', `day ${count + 1}`),
  ]),
  ['4IV', makeFee('exam', 'VACIS exam fee')],
  ['4IE', makeFee('exam', 'exam fee')],
  ['USD', makeFee('exam', 'USDA exam fee')],
  ['ATG', makeFee('exam', 'tailgate exam fee')],
  ['DWT', makeFee('extended_dwell_time', 'extended dwell fee')],
  ['TMF', { kind: 'fee', type: 'other', description: 'traffic mitigation fee', hold: 'TMF' }],
  ['22', makeFee('other', 'special charge')],
  ['CTF', makeFee('other', 'clean truck fee')],
  ['HZP', makeFee('other', 'hazardous placard fee')],
  ['FCH', makeFee('other', 'flip charge')],
  ['BBC', makeFee('other', 'break-bulk charge')],
  ['DVF', makeFee('other', 'devanning fee')],
  ['GEN', makeFee('other', 'generator set fee')],
  ['SCR', makeFee('other', 'sealing fee')],
  ['WCR', makeFee('other', 'weighing fee')],
  ['GEC', makeFee('other', 'grounded export charge')],
  ['DRC', makeFee('other', 'drayage charge')],
  ['EGF', makeFee('other', 'export gate fee')],
  ['IGF', makeFee('other', 'import gate fee')],
  ['OOG', makeFee('other', 'out-of-gauge flip fee')],
  ['RF', makeFee('other', 'rehandling fee')],
  ...['AAO', 'TI', 'GCD', 'ZCD', 'L1'].map((code): [string, Meaning] => [code, note]),
])

function makeFee(type: FeeStatement['type'], description: string): Meaning {
  return { kind: 'fee', type, description, hold: null }
}
