/**
 * Measures what each kind of channel fills and which events it causes: sends the sample journeys through it and looks
 * at what the API shows.
 */

import { parseJourneyLine } from '../../src/domain/notation/notation.ts'
import type { Source } from '../../src/domain/statements/observation.ts'
import { observeArrival, voyageToDischarge } from '../../src/domain/vessels/vessel-arrival.ts'
import { container } from '../../src/modules/containers/container-resource.ts'
import { shipment } from '../../src/modules/shipments/shipment-resource.ts'
import { containerReadings, shipmentReading } from '../../src/modules/webhooks/example-readings.ts'
import { foldBy } from '../../src/pipeline/ledger/fold.ts'
import type { FoldResult } from '../../src/pipeline/ledger/fold-result.ts'
import { defaultRules } from '../../src/pipeline/ledger/rules.ts'
import { openScenario, type Scenario } from '../../src/pipeline/ledger/scenario.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { type Channel, channels, type GivenStep, type HeardReading, type SaidBy } from './channels.ts'
import {
  type JourneyStep,
  type Prelude,
  preludes,
  sampleBill,
  sampleBox,
  sampleJourneys,
  sampleLine,
} from './journeys.ts'

/** Attributes as `container.<attribute>` and `shipment.<attribute>`, and events by their names. */
export interface Measured {
  readonly channel: string
  readonly filled: ReadonlySet<string>
  readonly fired: ReadonlySet<string>
}

type Values = ReadonlyMap<string, string>

const askedAt = '2026-01-04T12:00:00.000Z'
/** When the statements of a prelude were received; all of them are earlier. */
const preludeAt: Readonly<Record<Prelude, string>> = {
  box: '2026-01-04T13:00:00.000Z',
  route: '2026-01-04T13:00:00.000Z',
  ashore: '2026-01-22T00:00:00.000Z',
  sailing: '2026-01-04T13:00:00.000Z',
}

export function measureChannels(): readonly Measured[] {
  return [...channels.map(measureChannel), measureShips(), measureItself()]
}

export function nameOf({ name, speaker }: Pick<Channel, 'name' | 'speaker'>): string {
  return `${name}, ${speaker}`
}

function measureChannel(channel: Channel): Measured {
  const filled = new Set<string>()
  const fired = new Set<string>()
  for (const { after, isWhole, steps } of sampleJourneys) {
    const starts = channel.findsShipment && isWhole ? [null, ...after] : after
    for (const start of starts) {
      const told = open(start)
      const base = start === null ? ownOf() : valuesOf(told)
      for (const step of given(steps))
        for (const folded of tell(told, channel, step)) {
          for (const { name } of folded.events) fired.add(name)
          for (const [name, value] of valuesOf(told)) if (base.get(name) !== value) filled.add(name)
        }
    }
  }
  return { channel: nameOf(channel), filled, fired }
}

/** Opens the request, with what is known before the channel reports. */
function open(start: Prelude | null): Scenario {
  const number = { requestType: 'bill_of_lading', requestNumber: sampleBill, number: sampleBill } as const
  const told = openScenario(foldBy(defaultRules), {
    accountId: uuidV5(LANDFALL_NAMESPACE, 'measured account'),
    id: uuidV5(LANDFALL_NAMESPACE, 'measured request'),
    requestedAt: askedAt,
    created: { ...number, scac: sampleLine, refNumbers: ['PO 1'], shipmentTags: ['hot'] },
  })
  if (start !== null) told.read({ at: preludeAt[start], statements: readLines(preludes[start]) })
  return told
}

function given(steps: readonly JourneyStep[]): readonly GivenStep[] {
  const told = steps.map((step) => readLines(step.said))
  return steps.map(({ at }, index) => ({
    at,
    number: index + 1,
    said: told[index] ?? [],
    known: told.slice(0, index + 1).flatMap((lines) => lines.map(({ observation }) => observation)),
  }))
}

function readLines(text: string): readonly SaidBy[] {
  const timeZoneOf = (code: string) => findPlaceByCode(code)?.timeZone ?? null
  return text.split('\n').flatMap((line) => {
    const read = parseJourneyLine(line, { timeZoneOf, equipment: sampleBox })
    if (read.kind === 'error') throw new Error(`${read.problem}: ${line}`)
    return read.kind === 'said' ? [{ source: read.source, observation: read.observation }] : []
  })
}

/**
 * Until there is a shipment only readings with movements are folded, as in the service. Messages are a minute apart.
 */
function tell(told: Scenario, channel: Channel, step: GivenStep): readonly FoldResult[] {
  const rung = told.wait(step.at)
  const heard = channel.hear(step).flatMap((heardReading, index): readonly FoldResult[] => {
    const { source, reading } = heardReading
    if (told.shipment() === null && reading.outcome !== 'found') return []
    const at = new Date(Date.parse(step.at) + index * 60_000).toISOString()
    return [told.read({ at, statements: saidOf(heardReading), withdrawn: { source, keys: reading.withdrawn } })]
  })
  return [...rung, ...heard]
}

function saidOf({ source, reading }: HeardReading): readonly SaidBy[] {
  return reading.observations.map((observation) => ({ source, observation }))
}

/** A ship's position while the box is on board. */
function measureShips(): Measured {
  const told = open('sailing')
  const base = valuesOf(told)
  const [box] = told.projection()?.containers ?? []
  const voyage = box === undefined ? null : voyageToDischarge(box)
  if (voyage === null) throw new Error('the ship of the prelude does not sail')
  const fix = {
    imo: voyage.imo,
    heardAt: '2026-01-20T19:00:00.000Z',
    speedKnots: 0,
    latitude: 33.74,
    longitude: -118.26,
  }
  const observation = observeArrival({ voyage, fix, equipment: sampleBox })
  const source: Source = { kind: 'ais', code: 'aisstream' }
  const { events } = told.read({ at: '2026-01-20T19:05:00.000Z', statements: [{ source, observation }] })
  const filled = [...valuesOf(told)].flatMap(([name, value]) => (base.get(name) === value ? [] : [name]))
  return { channel: 'AIS, ship', filled: new Set(filled), fired: new Set(events.map(({ name }) => name)) }
}

/**
 * What is filled without any statement, by the request and its shipment alone, and the events that come when a line
 * finds nothing.
 */
function measureItself(): Measured {
  const events = [open(null), open(null)].flatMap((told, index) =>
    ['2026-01-04T12:30:00.000Z', '2026-01-05T13:00:00.000Z', '2026-01-20T13:00:00.000Z']
      .slice(0, index + 2)
      .flatMap((at) => [...told.wait(at), told.answer({ at, outcome: { kind: 'not_found' } })])
      .flatMap((folded) => folded.events.map(({ name }) => name)),
  )
  return { channel: 'Landfall', filled: new Set(ownOf().keys()), fired: new Set(events) }
}

/** Without the attributes that describe the box, because somebody had to send them. */
function ownOf(): Values {
  return new Map([...valuesOf(open('box'))].filter(([name]) => !named.has(name)))
}
const named: ReadonlySet<string> = new Set([
  'container.number',
  'container.equipment_type',
  'container.equipment_length',
  'container.equipment_height',
])

/** One fixed time for creation and reading, so that these do not count as filled by a channel. */
const always = '2026-01-04T13:00:00.000Z'

function valuesOf(told: Scenario): Values {
  const state = told.shipment()
  if (state === null) return new Map()
  const { row, containers } = state
  const constant = {
    ...state,
    row: { ...row, createdAt: always },
    containers: containers.map((box) => ({ ...box, createdAt: always })),
  }
  const ofShipment = leaves('shipment', shipment.write(shipmentReading(constant, always)))
  const boxes = containerReadings(constant, always).flatMap((box) => leaves('container', container.write(box)))
  return new Map([...ofShipment, ...boxes])
}

/** All values that are not empty. An object is listed by its members. */
function leaves(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.length === 0 ? [] : [[name, JSON.stringify(value)]]
  if (typeof value !== 'object') return [[name, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([member, each]) => leaves(`${name}.${member}`, each))
}
