/**
 * Synthetic EDIFACT: status, gate and quay reports written from a journey's statements, for tests and for
 * demonstrations. They do not come from any real message of a partner, and each says so in its sender and its document
 * number.
 */

import { gateFactSegments, moveCodeOf, quayReportOf, statusOfEvent, statusOfHold } from './edifact-words.ts'
import type { Said, SaidEvent, SaidPlace, SaidTime } from './said.ts'
import { writeSegment } from './segment.ts'

export interface EdiJourney<Saying extends Said = Said> {
  readonly bill: string | null
  readonly booking: string | null
  readonly observations: readonly Saying[]
  /** An ISO 8601 instant. */
  readonly writtenAt: string
  /** The reference of the interchange and of its message. */
  readonly reference: string
}

type Line = readonly [tag: string, ...elements: (string | readonly string[])[]]

/** An IFTSTA by D.95B, with statuses of the code list 9011. Statements that it cannot carry are left out. */
export function writeIftsta(journey: EdiJourney): Buffer {
  const statuses = journey.observations.flatMap((said): readonly Line[] => {
    if (said.kind === 'fact') {
      const status = said.fact === 'hold' ? statusOfHold(said.value) : null
      return status === null ? [] : [['STS', '1', status], ...boxLines(said.equipment, null)]
    }
    const status = statusOfEvent(said)
    if (status === null) return []
    return [
      ['STS', '1', status.number],
      timeLine(status.qualifier, said.time),
      ...placeLines('175', said.place),
      ...transportLines(said),
      ...boxLines(said.equipment, said.load),
    ]
  })
  const documents = documentLines(journey)
  return writeMessage('IFTSTA', journey, [
    ['BGM', '23', numberOf(journey), '9'],
    written(journey),
    ['CNI', '1'],
    ...documents,
    ...statuses,
  ])
}

/** One CODECO for each gate move of a box. */
export function writeCodeco(journey: EdiJourney): readonly Buffer[] {
  return eventsOf(journey, ['GTIN', 'GTOT']).map((said, index) =>
    writeMessage('CODECO', numbered(journey, index), [
      ['BGM', said.code === 'GTIN' ? '34' : '36', numberOf(journey), '9'],
      written(journey),
      equipmentLine(said, ''),
      ...documentLines(journey),
      timeLine('7', said.time),
      ...placeLines('165', said.place),
      ...gateFactSegments(journey.observations, said),
      ...(said.mode === null ? [] : [['TDT', '1', '', moveCodeOf(said.mode)] as const]),
    ]),
  )
}

/** One COARRI for each box that a ship loads or discharges. `transshipped`: the ports where boxes change ships. */
export function writeCoarri(journey: EdiJourney, transshipped: ReadonlySet<string> = new Set()): readonly Buffer[] {
  return eventsOf(journey, ['LOAD', 'DISC'])
    .filter(({ mode }) => mode === null || mode === 'VESSEL' || mode === 'BARGE')
    .map((said, index) => {
      const isTransshipped = transshipped.has(said.place.unlocode ?? '')
      const { report, port, status } = quayReportOf(said, isTransshipped)
      return writeMessage('COARRI', numbered(journey, index), [
        ['BGM', report, numberOf(journey), '9'],
        written(journey),
        ...transportLines({ ...said, mode: said.mode ?? 'VESSEL' }),
        ...placeLines(port, said.place),
        equipmentLine(said, status),
        ...documentLines(journey),
        timeLine('203', said.time),
      ])
    })
}

function eventsOf({ observations }: EdiJourney, codes: readonly SaidEvent['code'][]): readonly SaidEvent[] {
  return observations.filter(
    (said): said is SaidEvent =>
      said.kind === 'event' && codes.includes(said.code) && said.classifier === 'ACT' && said.equipment !== null,
  )
}

function numbered(journey: EdiJourney, index: number): EdiJourney {
  return { ...journey, reference: `${journey.reference}-${index + 1}` }
}

function numberOf({ reference }: EdiJourney): string {
  return `SYNTHETIC-${reference}`
}

function written({ writtenAt }: EdiJourney): Line {
  return timeLine('137', { kind: 'instant', at: writtenAt })
}

function documentLines({ bill, booking }: EdiJourney): readonly Line[] {
  return [
    ...(bill === null ? [] : [['RFF', ['BM', bill]] as const]),
    ...(booking === null ? [] : [['RFF', ['BN', booking]] as const]),
  ]
}

/** An instant with its zone (304), a local time without a zone (204), or a day (102). */
function timeLine(qualifier: string, time: SaidTime): Line {
  const digits = (text: string): string => text.replace(/\D/g, '')
  if (time.kind === 'day') return ['DTM', [qualifier, digits(time.on), '102']]
  if (time.kind === 'local') return ['DTM', [qualifier, digits(time.local).slice(0, 14), '204']]
  return ['DTM', [qualifier, `${digits(time.at).slice(0, 14)}UTC`, '304']]
}

function placeLines(qualifier: string, place: SaidPlace): readonly Line[] {
  const { unlocode, facilityCode, name } = place
  if (unlocode === null && facilityCode === null && name === null) return []
  const within = facilityCode === null ? [] : [[facilityCode, 'TER', '306']]
  return [
    [
      'LOC',
      qualifier,
      [unlocode ?? '', unlocode === null ? '' : '139', unlocode === null ? '' : '6', name ?? ''],
      ...within,
    ],
  ]
}

function transportLines({ mode, vessel, voyage }: SaidEvent): readonly Line[] {
  if (mode === null) return []
  const isShip = mode === 'VESSEL' || mode === 'BARGE'
  const ship =
    isShip && vessel !== null
      ? [vessel.imo ?? '', vessel.imo === null ? '' : '146', vessel.imo === null ? '' : '11', vessel.name ?? '']
      : []
  return [['TDT', isShip ? '20' : '1', isShip ? (voyage ?? '') : '', moveCodeOf(mode), '', '', '', '', ship]]
}

function boxLines(equipment: string | null, load: SaidEvent['load']): readonly Line[] {
  return equipment === null ? [] : [['EQD', 'CN', equipment, '', '', '', loadCode(load)]]
}

function equipmentLine({ equipment, load }: SaidEvent, status: string): Line {
  return ['EQD', 'CN', equipment ?? '', '', '', status, loadCode(load)]
}

function loadCode(load: SaidEvent['load']): string {
  return load === null ? '' : load === 'EMPTY' ? '4' : '5'
}

function writeMessage(type: string, { reference, writtenAt }: EdiJourney, lines: readonly Line[]): Buffer {
  const day = writtenAt.replace(/\D/g, '')
  const within = lines.map(([tag, ...elements]) => writeSegment(tag, elements))
  const all = [
    writeSegment('UNB', [['UNOC', '3'], 'SYNTHETIC', 'LANDFALL', [day.slice(2, 8), day.slice(8, 12)], reference]),
    writeSegment('UNH', [reference, [type, 'D', '95B', 'UN']]),
    ...within,
    writeSegment('UNT', [String(within.length + 2), reference]),
    writeSegment('UNZ', ['1', reference]),
  ]
  return Buffer.from(`UNA:+.? '\n${all.join('\n')}\n`)
}
