/**
 * What a status of an IFTSTA means. Until D.98A its number is of the list 9011 and names an event. From D.99B on it is
 * of the list 4405, which has no transport events, and partners write there their own codes: then a code is known only
 * if the partner has confirmed its meaning. Nothing is guessed.
 */

import type { HoldStatement } from '../../domain/statements/observation.ts'
import type { EventCode } from '../../domain/values/codes.ts'
import type { ReadContext } from './context.ts'
import { codeOf, textOf } from './fields.ts'
import type { EdifactProfile, StatusMeaning } from './profile.ts'
import type { Segment } from './segments.ts'

export interface StatedStatus {
  /** As it was written: the code, its reasons and its text. */
  readonly original: string
  readonly code: string
  readonly reasons: readonly string[]
  readonly text: string
}

/** `STS`: category, event (C555), up to five reasons (C556), each with a text in its fourth component. */
export function readStatus(segment: Segment): StatedStatus {
  const code = codeOf(segment, 1)
  const text = textOf(segment, 1, 3)
  const reasons = [2, 3, 4, 5, 6].map((element) => codeOf(segment, element)).filter((each) => each !== '')
  const joinedCodes = [code, ...reasons].join('/')
  return {
    code,
    reasons,
    text,
    original: [joinedCodes, text]
      .filter((each) => each !== '')
      .join(' ')
      .slice(0, 200),
  }
}

/**
 * `needs`: the code of the standard's list has this meaning only for a train, for an empty container, for a known mode
 * of transport, or in the US.
 */
export type KnownMeaning = StatusMeaning & {
  readonly needs?: 'RAIL' | 'EMPTY' | 'transport' | 'US'
  readonly description?: string
}

/** `raw`: in the standard's list, but not an event of a container's journey. `unmapped`: its meaning is unknown. */
export type StatusReading = KnownMeaning | { readonly kind: 'raw' } | { readonly kind: 'unmapped' }

export function meaningOf(
  status: StatedStatus,
  version: string,
  { profile, speaker }: Pick<ReadContext, 'profile' | 'speaker'>,
): StatusReading {
  const confirmed = findProfileMeaning(status, profile)
  if (confirmed !== null) return confirmed
  if (profile.numbersOf9011 !== 'always' && !hasList9011(version)) return { kind: 'unmapped' }
  if (!/^[1-9][0-9]{0,2}$/.test(status.code) || Number(status.code) > 103) return { kind: 'unmapped' }
  if (status.code === '78' && speaker !== 'shipping_line') return { kind: 'raw' }
  return meanings9011[status.code] ?? { kind: 'raw' }
}

/** Holds that the reasons of a status name (list 9013). The meaning of a partner's own reasons is unknown. */
export function holdsOfReasons(
  { reasons }: StatedStatus,
  version: string,
  { profile }: Pick<ReadContext, 'profile'>,
): readonly HoldStatement[] {
  if (profile.numbersOf9011 !== 'always' && !hasList9011(version)) return []
  return reasons.flatMap((reason) => holdsOf9013[reason] ?? [])
}

/** Records the status with the place in the profile of the partner's own meaning. */
export function noteStatus(
  { code, reasons, text }: StatedStatus,
  at: { readonly path: string; readonly isMapped: boolean },
  { issues }: Pick<ReadContext, 'issues'>,
): void {
  const [reason = ''] = reasons
  const normalized = {
    code: normalizeText(code),
    reason: normalizeText(reason),
    text: normalizeText(text).slice(0, 200),
  }
  issues.noteCode({ field: '/codes', ...normalized, ...at })
}

export function findProfileMeaning(status: StatedStatus, { codes }: EdifactProfile): StatusMeaning | null {
  const normalized = {
    code: normalizeText(status.code),
    reasons: status.reasons.map(normalizeText),
    text: normalizeText(status.text),
  }
  let best: EdifactProfile['codes'][number] | null = null
  for (const entry of codes) {
    const { code, reason, text } = entry
    const fits =
      normalizeText(code) === normalized.code &&
      (reason === undefined || normalized.reasons.includes(normalizeText(reason))) &&
      (text === undefined || normalizeText(text) === normalized.text)
    if (fits && (best === null || rankSpecificity(entry) > rankSpecificity(best))) best = entry
  }
  return best?.means ?? null
}

function rankSpecificity({ reason, text }: EdifactProfile['codes'][number]): number {
  return Number(reason !== undefined) + 2 * Number(text !== undefined)
}

function normalizeText(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toUpperCase()
}

/** Directories before D.99B. D.98B and D.99A use the list too, whichever number the element has there. */
function hasList9011(version: string): boolean {
  const [, year, half] = /^D\.(9[3-9])([AB])$/.exec(version) ?? []
  return year !== undefined && `${year}${half}` < '99B'
}

const makeEventMeaning = (code: EventCode & Extract<StatusMeaning, { kind: 'event' }>['code']): KnownMeaning => ({
  kind: 'event',
  code,
})
const makeHoldMeaning = (
  name: HoldStatement['name'],
  status: HoldStatement['status'],
  description: string,
): KnownMeaning => ({
  kind: 'hold',
  name,
  status,
  description,
})

/**
 * UN/EDIFACT D.99A, element 9011. The others of its 103 numbers are not an event of a container's journey, or only the
 * partner knows their meaning: 45, 71 (can the container be picked up?), 90 (who stopped it?) and 100 (unloaded or
 * loaded?).
 */
const meanings9011: Readonly<Record<string, KnownMeaning>> = {
  '1': makeEventMeaning('ARRI'),
  '7': { kind: 'booking_cancelled' },
  '8': makeHoldMeaning('customs', 'released', 'cleared import restrictions'),
  '10': {
    ...makeHoldMeaning('USDA', 'released', 'cleared by agriculture, food or fisheries authorities'),
    needs: 'US',
  },
  '11': makeHoldMeaning('other', 'released', 'port authority'),
  '12': makeHoldMeaning('customs', 'released', 'cleared by customs'),
  '13': makeEventMeaning('GTOT'),
  '16': makeEventMeaning('WAYP'),
  '17': makeHoldMeaning('customs', 'hold', 'customs refusal'),
  '24': makeEventMeaning('DEPA'),
  '26': { ...makeEventMeaning('DISC'), needs: 'RAIL' },
  '27': { ...makeEventMeaning('DEPA'), needs: 'transport' },
  '28': makeEventMeaning('STRP'),
  '29': makeEventMeaning('DISC'),
  '38': makeHoldMeaning('freight', 'released', 'freight paid'),
  '43': makeEventMeaning('GTIN'),
  '48': makeEventMeaning('LOAD'),
  '59': makeEventMeaning('DISC'),
  '70': { ...makeEventMeaning('LOAD'), needs: 'RAIL' },
  '74': makeEventMeaning('GTIN'),
  '78': makeHoldMeaning('freight', 'released', 'released'),
  '79': makeEventMeaning('LOAD'),
  '80': { ...makeEventMeaning('GTIN'), needs: 'EMPTY' },
  '82': { ...makeEventMeaning('GTIN'), needs: 'EMPTY' },
  '93': makeEventMeaning('STUF'),
  '94': makeEventMeaning('STUF'),
}

const makeActiveHold = (name: HoldStatement['name'], description: string): readonly HoldStatement[] => [
  { name, status: 'hold', description },
]

/** UN/EDIFACT D.99A, element 9013: the reasons for which a container is held. */
const holdsOf9013: Readonly<Record<string, readonly HoldStatement[]>> = {
  '13': makeActiveHold('customs', 'customs refusal'),
  '24': makeActiveHold('other', 'examination'),
  '28': makeActiveHold('customs', 'import restrictions'),
  '37': makeActiveHold('other', 'documents'),
  '46': makeActiveHold('freight', 'payment not received'),
  '47': makeActiveHold('freight', 'payment refused'),
}
