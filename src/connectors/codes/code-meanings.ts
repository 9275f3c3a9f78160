/**
 * The closed list of what a code can mean, for each kind of code, with a text for people. The notation of statuses
 * allows combinations (`GTOT EMPTY RAIL`, `release customs, available`); the list names those that occur.
 */

import { feeTypes, holdNames } from '../../domain/statements/observation.ts'
import { equipmentEventCodes, isOneOf, shipmentEventCodes, transportEventCodes } from '../../domain/values/codes.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findTerminal } from '../../reference/terminals.ts'
import { parseEffects } from '../x12/effects.ts'
import { referenceFacts } from '../x12/references.ts'
import type { CodeKind } from './code-fields.ts'
import { readEntryMeaning } from './entry-meanings.ts'

export interface CodeMeaning {
  readonly means: string
  readonly words: string
}

const holdLabels = {
  freight: 'freight or line',
  customs: 'customs',
  USDA: 'agriculture (USDA)',
  VACIS: 'X-ray or scan (VACIS)',
  TMF: 'traffic mitigation fee (TMF)',
  other: 'another authority or reason',
} as const satisfies Readonly<Record<(typeof holdNames)[number], string>>

const eventLabels: Readonly<Record<string, string>> = {
  ARRI: 'arrived',
  DEPA: 'departed',
  LOAD: 'loaded',
  DISC: 'unloaded',
  GTIN: 'gate in',
  GTOT: 'gate out',
  STUF: 'stuffed',
  STRP: 'stripped',
  PICK: 'picked up',
  DROP: 'dropped off',
  INSP: 'inspected',
  RSEA: 'sealed anew',
  RMVD: 'removed',
  AVPU: 'can be picked up',
  AVDO: 'can be dropped off',
  CUSS: 'chosen by customs for a scan',
  CUSI: 'chosen by customs for an inspection',
  CUSR: 'released by customs',
  WAYP: 'passed a point on the way',
}

const modeLabels = { VESSEL: 'ship', RAIL: 'train', TRUCK: 'truck', BARGE: 'barge' } as const
type Mode = keyof typeof modeLabels

const listMeaningsByMode = (code: string, modes: readonly Mode[]): readonly CodeMeaning[] =>
  modes.map((mode) => {
    const by = code === 'LOAD' ? 'on a' : code === 'DISC' ? 'from a' : code === 'GTIN' || code === 'GTOT' ? 'by' : ''
    const label =
      by === '' ? `the ${modeLabels[mode]} ${eventLabels[code]}` : `${eventLabels[code]} ${by} ${modeLabels[mode]}`
    return { means: `${code} ${mode}`, words: label }
  })

const moves: readonly CodeMeaning[] = [
  ...(['ARRI', 'DEPA', 'LOAD', 'DISC'] as const).flatMap((code) =>
    listMeaningsByMode(code, ['VESSEL', 'RAIL', 'BARGE']),
  ),
  ...(['GTIN', 'GTOT'] as const).flatMap((code) => [
    { means: code, words: `${eventLabels[code]}` },
    { means: `${code} LADEN`, words: `${eventLabels[code]}, laden` },
    { means: `${code} EMPTY`, words: `${eventLabels[code]}, empty` },
    ...listMeaningsByMode(code, ['TRUCK', 'RAIL']),
  ]),
  ...equipmentEventCodes
    .filter((code) => !['LOAD', 'DISC', 'GTIN', 'GTOT'].includes(code))
    .map((code) => ({ means: code, words: `${eventLabels[code]}` })),
]

const listHoldMeanings = (effect: 'hold' | 'release'): readonly CodeMeaning[] =>
  holdNames.map((name) => {
    const label = effect === 'hold' ? `held: ${holdLabels[name]}` : `hold released: ${holdLabels[name]}`
    return { means: `${effect} ${name}`, words: label }
  })

const statuses: readonly CodeMeaning[] = [
  ...moves,
  ...listHoldMeanings('hold'),
  ...listHoldMeanings('release'),
  { means: 'available', words: 'can be picked up' },
  { means: 'not_available', words: 'cannot be picked up' },
  { means: 'note', words: 'for information only: no move, hold or release' },
]
const ofX12: readonly CodeMeaning[] = [
  { means: 'last_free_day', words: 'its time is the last free day' },
  { means: 'appointment', words: 'its time is the pick-up appointment' },
]
const ofEdifact: readonly CodeMeaning[] = [
  ...holdNames.map((name) => ({ means: `pending ${name}`, words: `hold announced: ${holdLabels[name]}` })),
  { means: 'booking_cancelled', words: 'the booking is cancelled' },
]

const events: readonly CodeMeaning[] = [...transportEventCodes, ...equipmentEventCodes, ...shipmentEventCodes].map(
  (means) => ({ means, words: eventLabels[means] ?? `document: ${means}` }),
)

const listPlainMeanings = (
  names: readonly string[],
  labels: Readonly<Record<string, string>>,
): readonly CodeMeaning[] => names.map((means) => ({ means, words: labels[means] ?? means.replaceAll('_', ' ') }))

const none: CodeMeaning = { means: 'none', words: 'is ignored' }

/** Empty for places and terminals: these are looked up in the reference data. */
export function meaningsOf(kind: CodeKind, language: string): readonly CodeMeaning[] {
  switch (kind) {
    case 'status':
      return [...statuses, ...(language === 'x12' ? ofX12 : language === 'edifact' ? ofEdifact : [])]
    case 'event':
      return events
    case 'hold':
      return [...listPlainMeanings(holdNames, holdLabels), none]
    case 'hold_status':
      return listPlainMeanings(['hold', 'pending', 'released'], {
        hold: 'it holds',
        pending: 'it is announced',
        released: 'it is released',
      })
    case 'fee':
      return [...listPlainMeanings(feeTypes, {}), none]
    case 'available':
      return listPlainMeanings(['yes', 'no', 'neither'], {
        yes: 'can be picked up',
        no: 'cannot be picked up',
        neither: 'says nothing about the pick-up',
      })
    case 'reference':
      return listPlainMeanings(referenceFacts, {})
    case 'report':
      return listPlainMeanings(['in', 'out', 'load', 'discharge'], {
        in: 'gate in',
        out: 'gate out',
        load: 'loaded on the ship',
        discharge: 'unloaded from the ship',
      })
    case 'place':
    case 'terminal':
      return []
  }
}

/** The reason why the code cannot mean this, as a sentence for the person who chose it. Null when it can. */
export function findMeaningFault(kind: CodeKind, language: string, means: string): string | null {
  if (kind === 'place') return findPlaceByCode(means) === null ? 'There is no place with this UN/LOCODE.' : null
  if (kind === 'terminal') {
    const terminal = findTerminal({ provider: 'FIRMS', code: means })
    return terminal === null ? 'There is no terminal with this FIRMS code.' : null
  }
  const isStatus = kind === 'status'
  const isRead = language === 'edifact' ? readEntryMeaning(means) !== null : parseEffects(means) !== null
  const known = meaningsOf(kind, language).map((each) => each.means)
  if (isStatus ? isRead : isOneOf(known, means)) return null
  const listed = isStatus ? `${known.slice(0, 4).join(', ')} and so on (\`meta.meanings\`)` : known.join(', ')
  return `No code of this kind means that. It means one of: ${listed}.`
}
