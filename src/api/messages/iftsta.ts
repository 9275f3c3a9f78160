/**
 * One move as an interchange of UN/EDIFACT with one IFTSTA (D.95B): the consignment and its numbers, the status with its
 * date, its place and its ship, and the container.
 */

import type { TransportMode } from '../../domain/values/codes.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { edifactCodeOf } from '../../modules/transport-events/edi-codes.ts'
import { type MoveStatement, toMoveStatement, writePlace } from '../../modules/transport-events/move-statement.ts'
import type { Move } from '../../modules/transport-events/moves-sql.ts'
import { type Envelope, toDateTimeDigits } from './envelope.ts'
import { fitText } from './fields.ts'

type Element = string | readonly string[]
type Line = readonly [tag: string, ...elements: Element[]]

/** Null for a move that has no code. */
export function writeIftsta(reportedMove: Move, { ids, writtenAt, control }: Envelope): Buffer | null {
  const stated = toMoveStatement(reportedMove)
  const code = edifactCodeOf(reportedMove)
  if (stated === null || code === null) return null
  const { day, time } = toDateTimeDigits(writtenAt)
  const reference = String(control % 100_000_000_000_000)
  const body: readonly Line[] = [
    ['BGM', '23', reportedMove.id.replaceAll('-', ''), '9'],
    timeLine('137', { kind: 'instant', at: writtenAt }),
    ['CNI', '1'],
    ...referenceLine('BM', reportedMove.billOfLadingNumber),
    ...referenceLine('BN', reportedMove.bookingNumber),
    ['STS', '1', code.status],
    timeLine(code.date, reportedMove.milestone.time),
    ...placeLine(reportedMove),
    ...transportLine(stated, reportedMove),
    ['EQD', 'CN', reportedMove.number, '', '', '', writeFullEmptyCode(stated)],
  ]
  const lines: readonly Line[] = [
    [
      'UNB',
      ['UNOC', '3'],
      [ids.sender, ids.senderQualifier ?? ''],
      [ids.receiver, ids.receiverQualifier ?? ''],
      [day.slice(2), time.slice(0, 4)],
      reference,
      ...(ids.isTest ? ['', '', '', '', '', '1'] : []),
    ],
    ['UNH', reference, ['IFTSTA', 'D', '95B', 'UN']],
    ...body,
    ['UNT', String(body.length + 2), reference],
    ['UNZ', '1', reference],
  ]
  return Buffer.from(`UNA:+.? '\n${lines.map(writeSegment).join('\n')}\n`, 'latin1')
}

function referenceLine(qualifier: string, value: string | null): readonly Line[] {
  const written = fitText(value, 35)
  return written === null ? [] : [['RFF', [qualifier, written]]]
}

/** An instant with its zone (304), a wall clock (204), or a day (102). */
function timeLine(qualifier: string, time: EventTime): Line {
  if (time.kind === 'day') return ['DTM', [qualifier, time.on.replaceAll('-', ''), '102']]
  const { day, time: clock } = toDateTimeDigits(time.kind === 'local' ? time.local : time.at)
  return time.kind === 'local'
    ? ['DTM', [qualifier, day + clock, '204']]
    : ['DTM', [qualifier, `${day}${clock}UTC`, '304']]
}

function placeLine(reportedMove: Move): readonly Line[] {
  const { unlocode, facilityCode, provider, ...place } = writePlace(reportedMove)
  const name = fitText(place.name, 17)
  if (unlocode === null && name === null) return []
  const code = unlocode === null ? ['', '', ''] : [unlocode, '139', '6']
  const within = facilityCode === null || provider !== 'SMDG' ? [] : [[facilityCode, 'TER', '306']]
  return [['LOC', '175', [...code, name ?? ''], ...within]]
}

const modes: Readonly<Record<TransportMode, string>> = { VESSEL: '1', RAIL: '2', TRUCK: '3', BARGE: '8' }

function transportLine({ mode }: MoveStatement, { milestone: { vessel, voyage } }: Move): readonly Line[] {
  if (mode === null) return []
  const isShip = mode === 'VESSEL' || mode === 'BARGE'
  const imo = vessel?.imo ?? ''
  const ship = isShip && vessel !== null ? [imo, imo && '146', imo && '11', fitText(vessel.name, 35) ?? ''] : ['']
  return [['TDT', isShip ? '20' : '1', isShip ? (fitText(voyage, 17) ?? '') : '', modes[mode], '', '', '', '', ship]]
}

function writeFullEmptyCode({ move }: MoveStatement): string {
  return move.type === 'TRANSPORT' ? '' : move.load === 'EMPTY' ? '4' : '5'
}

/** ISO 9735: what is empty at the end is left out, and a service character is quoted. UNOC is ISO 8859-1. */
function writeSegment([tag, ...elements]: Line): string {
  const written = elements.map((element) =>
    withoutTail(typeof element === 'string' ? [element] : element)
      .map((component) => component.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[:+?']/g, '?$&'))
      .join(':'),
  )
  return `${[tag, ...withoutTail(written)].join('+')}'`
}

function withoutTail(texts: readonly string[]): readonly string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}
