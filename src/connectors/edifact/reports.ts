import type { Observation } from '../../domain/statements/observation.ts'
import { quoteValue } from '../source-issue.ts'
import type { EdifactMessageContext, ReadContext } from './context.ts'
import { containerOf } from './documents.ts'
import { containerFacts, readLoad } from './equipment.ts'
import { codeOf, pathTo, segmentsOf } from './fields.ts'
import { readMoment } from './moment.ts'
import { readPlace } from './place.ts'
import { gateFacts, isTransshipped, type MoveCode, type ReportedContainer, undatedCallFacts } from './report-facts.ts'
import type { Segment } from './segments.ts'
import { observeEvent, observeFact, type StatedFact } from './statements.ts'
import { countEvent } from './tally.ts'
import { noTransport, readTransport, type Transport } from './transport.ts'
import type { ContainerUnit } from './unit.ts'

type ReportType = 'CODECO' | 'COARRI'

/**
 * BGM, element 1001. The first codes of each kind are those of user guides for D.95B, which use codes of other meaning
 * because that directory has none for these reports (98 arrival information, 270 delivery note); the last ones are the
 * codes that later directories have: 109 gate in, 111 gate out, 119 and 181 discharge, 122 loading report.
 */
const codesOfReport: Readonly<Record<ReportType, Readonly<Record<string, MoveCode>>>> = {
  CODECO: { '34': 'GTIN', '36': 'GTOT', '109': 'GTIN', '111': 'GTOT' },
  COARRI: {
    '44': 'DISC',
    '98': 'DISC',
    '119': 'DISC',
    '181': 'DISC',
    '46': 'LOAD',
    '270': 'LOAD',
    '122': 'LOAD',
  },
}
/**
 * Element 8249: an import container (3) or a discharged one (23) is not loaded, an export container (2) or a loaded one
 * (22) not discharged.
 */
const contradictions: Readonly<Record<MoveCode, readonly string[]>> = {
  GTIN: [],
  GTOT: [],
  LOAD: ['3', '23'],
  DISC: ['2', '22'],
}
const codesOfDirection = { in: 'GTIN', out: 'GTOT', load: 'LOAD', discharge: 'DISC' } as const

/** Element 8249: containers that the report names, but that are on no trip or did not move. */
const unmoved: Readonly<Record<string, string>> = {
  '4': 'remains on board',
  '5': 'is shifted on board',
  '7': 'was not discharged',
  '10': 'is repositioned empty',
  '14': 'is shifted over the quay',
  '30': 'was replaced by another box',
}

export function readReport(type: ReportType, unit: ContainerUnit, of: EdifactMessageContext): readonly Observation[] {
  const { context, tally, by } = of
  const { equipment } = unit
  const number = containerOf(equipment, context.issues)
  if (number === null) {
    const at = { path: pathTo(equipment, 1), lost: 'event' } as const
    context.issues.add('bad_equipment', at, `${quoteValue(codeOf(equipment, 1))} is no container number`)
    tally.lost('bad_equipment')
    return []
  }
  const load = readLoad(equipment)
  const status = codeOf(equipment, 4)
  const stays = unmoved[status]
  if (stays !== undefined) {
    const at = { path: pathTo(equipment, 4), lost: 'event' } as const
    context.issues.addOnce('unsupported_event', at, `the box ${stays}: this is not read as an event`)
    tally.ignored()
    return []
  }
  const container = { number, load, status }
  const facts: readonly StatedFact[] = containerFacts(unit.ownSegments, container, context)
  return [...readMove(type, unit, container, of), ...facts.map((fact) => observeFact(fact, by))]
}

function readMove(
  type: ReportType,
  unit: ContainerUnit,
  container: ReportedContainer,
  of: EdifactMessageContext,
): readonly Observation[] {
  const { context, tally, by } = of
  const { ownSegments, head, equipment } = unit
  const [report] = segmentsOf(head, 'BGM')
  const name = report === undefined ? '' : codeOf(report, 0)
  const code = codeOfReport(type, name, container.status, context)
  const original = [name, container.status].filter((each) => each !== '').join('/') || null
  const dated = findDate(type, ownSegments, head)
  const time = dated === null ? null : readMoment(dated, context)
  if (dated === null) {
    const at = { path: pathTo(equipment), lost: 'event' } as const
    context.issues.add('missing_field', at, 'the time of the move is missing (DTM)')
  }
  if (time === null) {
    tally.lost(dated === null ? 'missing_field' : 'unreadable_time')
    return []
  }
  const isPartnerCode = Object.hasOwn(context.profile.reports, name)
  if ((code === null || isPartnerCode) && name.length <= 20) {
    const path = pathTo(report ?? equipment, 0)
    context.issues.noteCode({
      field: '/reports',
      code: name,
      reason: '',
      text: '',
      isMapped: isPartnerCode,
      path,
    })
  }
  if (code === null) {
    const at = { path: pathTo(report ?? equipment, 0), lost: 'nothing' } as const
    context.issues.addOnce(
      'unmapped_code',
      at,
      `the ${type} ${quoteValue(original ?? '')} does not say how the box moved`,
    )
  }
  const place = readPlace(type === 'CODECO' ? gatePlace(ownSegments, head) : quayPlace(code, unit, container), context)
  const transport = type === 'CODECO' ? gateTransport(ownSegments, head, context) : shipOf(ownSegments, head, context)
  countEvent(tally, {
    isKnown: code !== null,
    isRaw: false,
    isPlaced: place.unlocode !== null,
    isNamed: place.name !== null,
  })
  const event = observeEvent(
    {
      classifier: 'ACT',
      code,
      load: container.load,
      ...transport,
      time,
      place,
      equipment: container.number,
      original,
    },
    by,
  )
  const besides =
    type === 'CODECO' ? gateFacts(code, unit, container, context) : undatedCallFacts(code, container, place)
  return [event, ...besides.map((fact) => observeFact(fact, by))]
}

/**
 * Null when the direction is unknown, and when a loading report has an import container or a discharge report has an
 * export container.
 */
function codeOfReport(type: ReportType, name: string, status: string, { profile }: ReadContext): MoveCode | null {
  const direction = Object.hasOwn(profile.reports, name) ? profile.reports[name] : undefined
  const code = direction === undefined ? codesOfReport[type][name] : codesOfDirection[direction]
  return code === undefined || contradictions[code].includes(status) ? null : code
}

/**
 * Qualifiers: 7 effective, 203 execution. The time of writing (137) is not used: it is not when the container moved.
 */
function findDate(type: ReportType, ownSegments: readonly Segment[], head: readonly Segment[]): Segment | null {
  const order = type === 'CODECO' ? ['7', '203'] : ['203', '7']
  for (const segments of [ownSegments, head])
    for (const qualifier of order) {
      const [found] = segmentsOf(segments, 'DTM', [qualifier])
      if (found !== undefined) return found
    }
  return null
}

/** `LOC+165`: the place of the reporting terminal or depot. */
function gatePlace(ownSegments: readonly Segment[], head: readonly Segment[]): Segment | null {
  return segmentsOf(ownSegments, 'LOC', ['165'])[0] ?? segmentsOf(head, 'LOC', ['165'])[0] ?? null
}

/**
 * The end of the container's own voyage on this ship. The head may name the ship's next port, so it is used only where
 * the container has none. A transshipped container may have the ports of its other ship: then a port counts only if the
 * head names it as well.
 */
function quayPlace(
  code: MoveCode | null,
  { ownSegments, head }: ContainerUnit,
  { status }: ReportedContainer,
): Segment | null {
  const end = code === 'LOAD' ? '9' : code === 'DISC' ? '11' : null
  const activity = gatePlace(ownSegments, head)
  if (activity !== null || end === null) return activity
  const [ofContainer = null] = segmentsOf(ownSegments, 'LOC', [end])
  const [ofShip = null] = segmentsOf(head, 'LOC', [end])
  if (ofContainer === null || ofShip === null || !isTransshipped(status)) return ofContainer ?? ofShip
  const isOfShip = segmentsOf(head, 'LOC', ['9', '11']).some((port) => codeOf(port, 1) === codeOf(ofContainer, 1))
  return isOfShip ? ofContainer : ofShip
}

/**
 * The transport by which the container came to the gate or left it (`TDT+1`, `TDT+30`), not the ship on which the
 * container will be loaded.
 */
function gateTransport(ownSegments: readonly Segment[], head: readonly Segment[], context: ReadContext): Transport {
  const [inland] = [ownSegments, head].flatMap((segments) => segmentsOf(segments, 'TDT', ['1', '30']))
  const { mode } = readTransport(inland ?? null, { isAtSea: false }, context)
  return { ...noTransport, mode: mode === 'VESSEL' ? null : mode }
}

function shipOf(ownSegments: readonly Segment[], head: readonly Segment[], context: ReadContext): Transport {
  const [ship] = [ownSegments, head].flatMap((segments) => segmentsOf(segments, 'TDT', ['20']))
  return readTransport(ship ?? null, { isAtSea: true }, context)
}
