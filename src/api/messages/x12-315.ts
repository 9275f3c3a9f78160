/**
 * One move as an interchange of ANSI X12 004010 with one 315, Status Details (Ocean): the status (B4), the numbers (N9),
 * the ship (Q2), and the places by their roles (R4) with the date (DTM) of the place of the status.
 */

import type { ObservedVessel } from '../../domain/statements/observation.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { x12CodeOf } from '../../modules/transport-events/edi-codes.ts'
import { type MoveStatement, toMoveStatement, writePlace } from '../../modules/transport-events/move-statement.ts'
import type { Move } from '../../modules/transport-events/moves-sql.ts'
import { type Envelope, toDateTimeDigits } from './envelope.ts'
import { fitText } from './fields.ts'

type Segment = readonly string[]

/** Null for a move that has no code. */
export function write315(reportedMove: Move, { ids, writtenAt, control }: Envelope): Buffer | null {
  const stated = toMoveStatement(reportedMove)
  const code = x12CodeOf(reportedMove)
  if (stated === null || code === null) return null
  const body = segmentsOf(reportedMove, { stated, code })
  const { day, time } = toDateTimeDigits(writtenAt)
  const number = String(control % 1_000_000_000).padStart(9, '0')
  const clock = [day.slice(2), time.slice(0, 4)]
  const secrets = ['00', padBlank(10), '00', padBlank(10)]
  const sender = [ids.senderQualifier ?? 'ZZ', ids.sender.padEnd(15)]
  const receiver = [ids.receiverQualifier ?? 'ZZ', ids.receiver.padEnd(15)]
  const trailer = ['U', '00401', number, '0', ids.isTest ? 'T' : 'P', '>']
  const segments: readonly Segment[] = [
    ['ISA', ...secrets, ...sender, ...receiver, ...clock, ...trailer],
    ['GS', 'QO', ids.sender, ids.receiver, day, time.slice(0, 4), String(Number(number)), 'X', '004010'],
    ['ST', '315', '0001'],
    ...body,
    ['SE', String(body.length + 2), '0001'],
    ['GE', '1', String(Number(number))],
    ['IEA', '1', number],
  ]
  return Buffer.from(segments.map((segment) => `${segment.join('*').replace(/\*+$/, '')}~\n`).join(''))
}

function padBlank(characters: number): string {
  return ' '.repeat(characters)
}

function segmentsOf(
  reportedMove: Move,
  { stated, code }: { readonly stated: MoveStatement; readonly code: NonNullable<ReturnType<typeof x12CodeOf>> },
): readonly Segment[] {
  const { milestone, number } = reportedMove
  const place = writePlace(reportedMove)
  const { date, time, zone } = formatEventTime(milestone.time)
  const load = stated.move.type === 'EQUIPMENT' ? stated.move.load.charAt(0) : ''
  const [initial, serial, checkDigit] = [number.slice(0, 4), number.slice(4, 10), number.slice(10)]
  const isShip = stated.mode === 'VESSEL' || stated.mode === 'BARGE'
  const { vessel, voyage } = milestone
  return [
    ['B4', '', '', code.status, date, time, '', initial, serial, load, '', '', '', checkDigit],
    ...referenceSegment('BM', reportedMove.billOfLadingNumber),
    ...referenceSegment('BN', reportedMove.bookingNumber),
    ['N9', 'EQ', number],
    ...(isShip && (vessel !== null || voyage !== null) ? [vesselSegment(vessel, voyage)] : []),
    ...portOf('L', reportedMove.pol, code.role),
    ...portOf('D', reportedMove.pod, code.role),
    ['R4', code.role, 'UN', place.unlocode ?? '', toX12Text(place.name, 24), place.unlocode?.slice(0, 2) ?? ''],
    ['DTM', code.date, date, time, zone],
  ]
}

function vesselSegment(vessel: ObservedVessel | null, voyage: string | null): Segment {
  const between = Array<string>(7).fill('')
  const [code, qualifier] = vessel?.imo ? [vessel.imo, 'L'] : ['', '']
  return ['Q2', code, ...between, toX12Text(voyage, 10), '', '', qualifier, toX12Text(vessel?.name ?? null, 28)]
}

function referenceSegment(qualifier: string, value: string | null): readonly Segment[] {
  const written = toX12Text(value, 30)
  return written === '' ? [] : [['N9', qualifier, written]]
}

/** A port of the shipment, unless the status is reported for this role. */
function portOf(role: string, unlocode: string | null, reportedRole: string): readonly Segment[] {
  return unlocode === null || role === reportedRole ? [] : [['R4', role, 'UN', unlocode, '', unlocode.slice(0, 2)]]
}

/** `UT`: universal time. `LT`: the clock of the place. A day has no time. */
function formatEventTime(time: EventTime): {
  readonly date: string
  readonly time: string
  readonly zone: string
} {
  if (time.kind === 'day') return { date: time.on.replaceAll('-', ''), time: '', zone: '' }
  const { day, time: clock } = toDateTimeDigits(time.kind === 'local' ? time.local : time.at)
  return { date: day, time: clock, zone: time.kind === 'local' ? 'LT' : 'UT' }
}

/**
 * In the characters of X12: letters without their accents, and blanks for separators, which cannot be quoted. Empty for
 * a text that is longer than its element.
 */
function toX12Text(text: string | null, charactersMax: number): string {
  const plain = (text ?? '').normalize('NFKD').replace(/\p{Mn}/gu, '')
  return fitText(plain.replace(/[*~>]|[^\x20-\x7e]/g, ' ').trim(), charactersMax) ?? ''
}
