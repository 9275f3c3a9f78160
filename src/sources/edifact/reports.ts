import type { Observation } from '../../core/statements/observation.ts'
import { quoted } from '../source-issue.ts'
import type { OfMessage, ReadContext } from './context.ts'
import { boxFacts, loadOf } from './equipment.ts'
import { codeOf, pathTo, segmentsOf } from './fields.ts'
import { readMoment } from './moment.ts'
import { readPlace } from './place.ts'
import { gateFacts, isTransshipped, type MoveCode, quayFacts, type ReportedBox } from './report-facts.ts'
import type { Segment } from './segments.ts'
import { observeEvent, observeFact, type SaidFact } from './statements.ts'
import { tallyEvent } from './tally.ts'
import { noTransport, readTransport, type Transport } from './transport.ts'
import type { BoxUnit } from './unit.ts'

type ReportType = 'CODECO' | 'COARRI'

/**
 * BGM, element 1001, as members of the SMDG use it. 270 is any quay report: only the status of the box shows which one.
 */
const codesOfReport: Readonly<Record<ReportType, Readonly<Record<string, MoveCode>>>> = {
  CODECO: { '34': 'GTIN', '36': 'GTOT' },
  COARRI: { '44': 'DISC', '98': 'DISC', '119': 'DISC', '46': 'LOAD', '122': 'LOAD' },
}
const codesOfDirection = { in: 'GTIN', out: 'GTOT', load: 'LOAD', discharge: 'DISC' } as const
/** Element 8249. */
const codesOfStatus: Readonly<Record<string, MoveCode>> = { '22': 'LOAD', '23': 'DISC' }

/** Element 8249: boxes that are named in the report, but that are on no trip or did not move. */
const unmoved: Readonly<Record<string, string>> = {
  '4': 'remains on board',
  '5': 'is shifted on board',
  '7': 'was not discharged',
  '10': 'is repositioned empty',
  '14': 'is shifted over the quay',
  '30': 'was replaced by another box',
}

export function readReport(type: ReportType, unit: BoxUnit, of: OfMessage): readonly Observation[] {
  const { context, tally, by } = of
  const { equipment } = unit
  const [number = null] = unit.boxes
  if (number === null) {
    const at = { path: pathTo(equipment, 1), lost: 'event' } as const
    context.issues.add('bad_equipment', at, `${quoted(codeOf(equipment, 1))} is no container number`)
    tally.lost('bad_equipment')
    return []
  }
  const load = loadOf(equipment)
  const status = codeOf(equipment, 4)
  const stays = unmoved[status]
  if (stays !== undefined) {
    const at = { path: pathTo(equipment, 4), lost: 'event' } as const
    context.issues.addOnce('unsupported_event', at, `the box ${stays}: this is not read as an event`)
    tally.setAside()
    return []
  }
  const box = { number, load, status }
  const facts: readonly SaidFact[] = boxFacts(unit.own, box, context)
  return [...readMove(type, unit, box, of), ...facts.map((fact) => observeFact(fact, by))]
}

function readMove(type: ReportType, unit: BoxUnit, box: ReportedBox, of: OfMessage): readonly Observation[] {
  const { context, tally, by } = of
  const { own, head, equipment } = unit
  const [report] = segmentsOf(head, 'BGM')
  const name = report === undefined ? '' : codeOf(report, 0)
  const code = codeOfReport(type, name, box.status, context)
  const original = [name, box.status].filter((each) => each !== '').join('/') || null
  const dated = findDate(type, own, head)
  const time = dated === null ? null : readMoment(dated, context)
  if (dated === null) {
    const at = { path: pathTo(equipment), lost: 'event' } as const
    context.issues.add('missing_field', at, 'the time of the move is missing (DTM)')
  }
  if (time === null) {
    tally.lost(dated === null ? 'missing_field' : 'unreadable_time')
    return []
  }
  const isOwn = Object.hasOwn(context.profile.reports, name)
  if ((code === null || isOwn) && name.length <= 20) {
    const path = pathTo(report ?? equipment, 0)
    context.issues.noteCode({ field: '/reports', code: name, reason: '', text: '', isMapped: isOwn, path })
  }
  if (code === null) {
    const at = { path: pathTo(report ?? equipment, 0), lost: 'nothing' } as const
    context.issues.addOnce(
      'unmapped_code',
      at,
      `the ${type} ${quoted(original ?? '')} does not say how the box moved`,
    )
  }
  const place = readPlace(type === 'CODECO' ? gatePlace(own, head) : quayPlace(code, unit, box), context)
  const transport = type === 'CODECO' ? gateTransport(own, head, context) : shipOf(own, head, context)
  tallyEvent(tally, {
    isKnown: code !== null,
    isRaw: false,
    isPlaced: place.unlocode !== null,
    isNamed: place.name !== null,
  })
  const event = observeEvent(
    { classifier: 'ACT', code, load: box.load, ...transport, time, place, equipment: box.number, original },
    by,
  )
  const besides = type === 'CODECO' ? gateFacts(code, unit, box, context) : quayFacts(code, box, place)
  return [event, ...besides.map((fact) => observeFact(fact, by))]
}

/**
 * Null when the direction is unknown, and when a loading report has an import box or a discharge report has an export
 * box.
 */
function codeOfReport(
  type: ReportType,
  name: string,
  status: string,
  { profile }: ReadContext,
): MoveCode | null {
  const direction = Object.hasOwn(profile.reports, name) ? profile.reports[name] : undefined
  const said = direction === undefined ? codesOfReport[type][name] : codesOfDirection[direction]
  const code = said ?? (type === 'COARRI' && name === '270' ? codesOfStatus[status] : undefined) ?? null
  const isContradicted = (code === 'LOAD' && status === '3') || (code === 'DISC' && status === '2')
  return isContradicted ? null : code
}

/** Qualifiers: 7 effective, 203 execution. The time of writing (137) is not used: it is not when the box moved. */
function findDate(type: ReportType, own: readonly Segment[], head: readonly Segment[]): Segment | null {
  const order = type === 'CODECO' ? ['7', '203'] : ['203', '7']
  for (const segments of [own, head])
    for (const qualifier of order) {
      const [found] = segmentsOf(segments, 'DTM', [qualifier])
      if (found !== undefined) return found
    }
  return null
}

/** `LOC+165`: the place of the reporting terminal or depot. */
function gatePlace(own: readonly Segment[], head: readonly Segment[]): Segment | null {
  return segmentsOf(own, 'LOC', ['165'])[0] ?? segmentsOf(head, 'LOC', ['165'])[0] ?? null
}

/** The port of the ship's call. The ports of the box itself are used only if it does not change ships there. */
function quayPlace(code: MoveCode | null, { own, head }: BoxUnit, { status }: ReportedBox): Segment | null {
  const end = code === 'LOAD' ? '9' : code === 'DISC' ? '11' : null
  const activity = gatePlace(own, head)
  if (activity !== null || end === null) return activity
  const ofBox = isTransshipped(status) ? [] : segmentsOf(own, 'LOC', [end])
  return segmentsOf(head, 'LOC', [end])[0] ?? ofBox[0] ?? null
}

/**
 * The transport that brought the box to the gate or took it away (`TDT+1`, `TDT+30`), not the ship for which the box is
 * meant.
 */
function gateTransport(own: readonly Segment[], head: readonly Segment[], context: ReadContext): Transport {
  const [inland] = [own, head].flatMap((segments) => segmentsOf(segments, 'TDT', ['1', '30']))
  const { mode } = readTransport(inland ?? null, { isAtSea: false }, context)
  return { ...noTransport, mode: mode === 'VESSEL' ? null : mode }
}

function shipOf(own: readonly Segment[], head: readonly Segment[], context: ReadContext): Transport {
  const [ship] = [own, head].flatMap((segments) => segmentsOf(segments, 'TDT', ['20']))
  return readTransport(ship ?? null, { isAtSea: true }, context)
}
