/**
 * One move as an interchange of ANSI X12 004010 with one 315, Status Details (Ocean): the status (B4), the numbers (N9),
 * the ship (Q2), and the places by their roles (R4) with the date (DTM) of the place of the status.
 */

import type { ObservedVessel } from '../../core/statements/observation.ts'
import type { EventTime } from '../../core/values/time.ts'
import { x12CodeOf } from '../../service/telling/moves/edi-codes.ts'
import { type SaidMove, sayMove, writePlace } from '../../service/telling/moves/said-move.ts'
import type { Move } from '../../store/telling/moves.ts'
import { digitsOf, type Envelope } from './envelope.ts'
import { fit } from './fields.ts'

type Segment = readonly string[]

/** Null for a move that has no code. */
export function write315(told: Move, { ids, writtenAt, control }: Envelope): Buffer | null {
  const said = sayMove(told)
  const code = x12CodeOf(told)
  if (said === null || code === null) return null
  const body = segmentsOf(told, { said, code })
  const { day, time } = digitsOf(writtenAt)
  const number = String(control % 1_000_000_000).padStart(9, '0')
  const clock = [day.slice(2), time.slice(0, 4)]
  const secrets = ['00', blank(10), '00', blank(10)]
  const sender = [ids.senderQualifier ?? 'ZZ', ids.sender.padEnd(15)]
  const receiver = [ids.receiverQualifier ?? 'ZZ', ids.receiver.padEnd(15)]
  const rest = ['U', '00401', number, '0', ids.isTest ? 'T' : 'P', '>']
  const segments: readonly Segment[] = [
    ['ISA', ...secrets, ...sender, ...receiver, ...clock, ...rest],
    ['GS', 'QO', ids.sender, ids.receiver, day, time.slice(0, 4), String(Number(number)), 'X', '004010'],
    ['ST', '315', '0001'],
    ...body,
    ['SE', String(body.length + 2), '0001'],
    ['GE', '1', String(Number(number))],
    ['IEA', '1', number],
  ]
  return Buffer.from(segments.map((segment) => `${segment.join('*').replace(/\*+$/, '')}~\n`).join(''))
}

function blank(characters: number): string {
  return ' '.repeat(characters)
}

function segmentsOf(
  told: Move,
  { said, code }: { readonly said: SaidMove; readonly code: NonNullable<ReturnType<typeof x12CodeOf>> },
): readonly Segment[] {
  const { milestone, number } = told
  const place = writePlace(told)
  const { date, time, zone } = writeClock(milestone.time)
  const load = said.move.type === 'EQUIPMENT' ? said.move.load.charAt(0) : ''
  const [initial, serial, checkDigit] = [number.slice(0, 4), number.slice(4, 10), number.slice(10)]
  const isShip = said.mode === 'VESSEL' || said.mode === 'BARGE'
  const { vessel, voyage } = milestone
  return [
    ['B4', '', '', code.status, date, time, '', initial, serial, load, '', '', '', checkDigit],
    ...reference('BM', told.billOfLadingNumber),
    ...reference('BN', told.bookingNumber),
    ['N9', 'EQ', number],
    ...(isShip && (vessel !== null || voyage !== null) ? [shipOf(vessel, voyage)] : []),
    ...portOf('L', told.pol, code.role),
    ...portOf('D', told.pod, code.role),
    ['R4', code.role, 'UN', place.unlocode ?? '', clean(place.name, 24), place.unlocode?.slice(0, 2) ?? ''],
    ['DTM', code.date, date, time, zone],
  ]
}

function shipOf(vessel: ObservedVessel | null, voyage: string | null): Segment {
  const between = Array<string>(7).fill('')
  const [code, qualifier] = vessel?.imo ? [vessel.imo, 'L'] : ['', '']
  return ['Q2', code, ...between, clean(voyage, 10), '', '', qualifier, clean(vessel?.name ?? null, 28)]
}

function reference(qualifier: string, value: string | null): readonly Segment[] {
  const written = clean(value, 30)
  return written === '' ? [] : [['N9', qualifier, written]]
}

/** A port of the shipment, unless the status is told of this role. */
function portOf(role: string, unlocode: string | null, told: string): readonly Segment[] {
  return unlocode === null || role === told ? [] : [['R4', role, 'UN', unlocode, '', unlocode.slice(0, 2)]]
}

/** `UT`: universal time. `LT`: the clock of the place. A day has no time. */
function writeClock(time: EventTime): {
  readonly date: string
  readonly time: string
  readonly zone: string
} {
  if (time.kind === 'day') return { date: time.on.replaceAll('-', ''), time: '', zone: '' }
  const { day, time: clock } = digitsOf(time.kind === 'local' ? time.local : time.at)
  return { date: day, time: clock, zone: time.kind === 'local' ? 'LT' : 'UT' }
}

/**
 * In the characters of X12: letters without their accents, and blanks for separators, which cannot be quoted. Empty for
 * a text that is longer than its element.
 */
function clean(text: string | null, charactersMax: number): string {
  const plain = (text ?? '').normalize('NFKD').replace(/\p{Mn}/gu, '')
  return fit(plain.replace(/[*~>]|[^\x20-\x7e]/g, ' ').trim(), charactersMax) ?? ''
}
