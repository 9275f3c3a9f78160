/**
 * The channels, each with a step of a journey as its input: the message is written by the samples' writers and read by
 * the channel's reader.
 */

import { writeArrivalNotice } from '../../sandbox/edi/arrival-notice.ts'
import { writeCoarri, writeCodeco, writeIftsta } from '../../sandbox/edi/edifact.ts'
import { writeX12 } from '../../sandbox/edi/x12.ts'
import type { X12Journey } from '../../sandbox/edi/x12-journey.ts'
import { openDcsaSource } from '../../src/connectors/dcsa/dcsa-source.ts'
import { standardProfile } from '../../src/connectors/dcsa/profile.ts'
import { findPushedSource } from '../../src/connectors/pushed-source-registry.ts'
import type { Reading } from '../../src/connectors/source.ts'
import type { Observation, Source, SourceKind } from '../../src/domain/statements/observation.ts'
import { writePushedEvents } from '../edi-samples/dcsa-pushed.ts'
import { writeStatements } from '../edi-samples/statements.ts'
import { carriedByX12 } from '../edi-samples/x12-carries.ts'
import { facilityProfile, writeFacilityAnswer } from './facility.ts'
import { sampleBill, sampleBooking, sampleBox, sampleLine } from './journeys.ts'

/** A step of a journey in the form that a channel gets. */
export interface GivenStep {
  readonly at: string
  /** Counted from 1. */
  readonly number: number
  /** The statements of this step. */
  readonly said: readonly SaidBy[]
  /** The statements of this step and all earlier ones, for messages that repeat everything each time. */
  readonly known: readonly Observation[]
}
export interface SaidBy {
  readonly source: Source
  readonly observation: Observation
}
export interface HeardReading {
  readonly source: Source
  readonly reading: Reading
}

export interface Channel {
  readonly name: string
  /** The kind of speaker. */
  readonly speaker: string
  /** A line's own statements find the shipment. Those of others wait until there is one. */
  readonly findsShipment: boolean
  readonly hear: (step: GivenStep) => readonly HeardReading[]
}

const dcsa = openDcsaSource()
const numbers = { bill: sampleBill, booking: sampleBooking }
const line: Source = { kind: 'shipping_line', code: sampleLine }
const terminal: Source = { kind: 'terminal', code: 'W185' }
const railway: Source = { kind: 'rail', code: 'UP' }
const person: Source = { kind: 'user', code: 'api' }

const speakers: Readonly<Record<SourceKind, string>> = {
  shipping_line: 'line',
  terminal: 'terminal',
  rail: 'railway',
  ais: 'ship',
  user: 'person',
  document: 'document',
}

export const channels: readonly Channel[] = [
  { name: 'DCSA asked', speaker: 'line', findsShipment: true, hear: hearAsked },
  pushedChannel({ name: 'DCSA pushed', source: 'dcsa', by: line, write: (step) => [json(writeDcsa(step))] }),
  pushedChannel({ name: 'Arrival Notice', source: 'arrival_notice', by: line, write: writeNotices }),
  pushedChannel({ name: '315', source: 'x12', by: line, write: (step) => inX12('line', step) }),
  pushedChannel({ name: '315', source: 'x12', by: terminal, write: (step) => inX12('terminal', step) }),
  pushedChannel({ name: '322', source: 'x12', by: railway, write: (step) => inX12('rail', step) }),
  pushedChannel({
    name: 'IFTSTA',
    source: 'edifact',
    by: line,
    write: (step) => [withSize(writeIftsta(inEdifact(step)))],
  }),
  pushedChannel({
    name: 'CODECO',
    source: 'edifact',
    by: terminal,
    write: (step) => writeCodeco(inEdifact(step)).map(withSize),
  }),
  pushedChannel({ name: 'COARRI', source: 'edifact', by: terminal, write: writeQuayReports }),
  polledChannel('Terminal asked', terminal),
  polledChannel('Railway asked', railway),
  {
    name: 'Statements',
    speaker: 'line, terminal, railway',
    findsShipment: true,
    hear: (step) => [line, terminal, railway].flatMap((by) => hearStatements(step, by, ofKind(step, by.kind))),
  },
  {
    name: 'Statements',
    speaker: 'person',
    findsShipment: false,
    hear: (step) =>
      hearStatements(
        step,
        person,
        step.said.map(({ observation }) => observation),
      ),
  },
]

/** A facility whose description uses every possible member. */
function polledChannel(name: string, by: Source): Channel {
  return {
    name,
    speaker: speakers[by.kind],
    findsShipment: false,
    hear: (step) => {
      const answer = writeFacilityAnswer(ofKind(step, by.kind))
      const of = { source: 'facility', by, at: step.at, profile: facilityProfile(by.kind) }
      return answer === null ? [] : hearDelivery({ ...of, body: json(answer) })
    },
  }
}

interface PushedChannel {
  readonly name: string
  readonly source: string
  readonly by: Source
  readonly write: (step: GivenStep) => readonly Buffer[]
}

function pushedChannel({ name, source, by, write }: PushedChannel): Channel {
  return {
    name,
    speaker: speakers[by.kind],
    findsShipment: by.kind === 'shipping_line',
    hear: (step) => write(step).flatMap((body) => hearDelivery({ source, by, body, at: step.at })),
  }
}

/** The profile that an operator writes for each language, such as its line or its currency. */
const profiles: Readonly<Record<string, unknown>> = {
  dcsa: { scac: sampleLine },
  arrival_notice: { scac: sampleLine },
  x12: { currency: 'USD', terminals: { SAMPLE: 'W185' } },
  edifact: {},
  statements: {},
}

/** Cuts a delivery into parts and reads them, as the service does. */
function hearDelivery(of: {
  readonly source: string
  readonly by: Source
  readonly body: Buffer
  readonly at: string
  readonly profile?: unknown
}): readonly HeardReading[] {
  const { by, body, at } = of
  const source = findPushedSource(of.source)
  const parsed = source?.parseProfile(of.profile ?? profiles[of.source])
  if (source === null || parsed === undefined || !parsed.ok)
    throw new Error(`no channel can have the language ${of.source}`)
  return source.splitDelivery(body, parsed.value).parts.flatMap((part) => {
    const [subject] = part.about
    if (subject === undefined) return []
    const snapshot = { status: 200, contentType: null, body: part.body, fetchedAt: at }
    return [
      {
        source: by,
        reading: source.read(snapshot, { speaker: by.kind, messageSubject: subject }, parsed.value),
      },
    ]
  })
}

function hearAsked(step: GivenStep): readonly HeardReading[] {
  const events = writeDcsa(step)
  if (events.length === 0) return []
  const snapshot = { status: 200, contentType: 'application/json', body: json(events), fetchedAt: step.at }
  const request = { scac: sampleLine, kind: 'bill_of_lading', number: sampleBill } as const
  const profile = { ...standardProfile, scac: sampleLine, base: 'https://line.example' }
  return [{ source: line, reading: dcsa.read(snapshot, request, profile) }]
}

/** Adds the size and the seal, which DCSA gives with the events of a box. */
function writeDcsa({ said, known }: GivenStep): readonly unknown[] {
  const seal = lastOf(known, 'seal_number')
  const size = lastOf(known, 'size_type')
  return writePushedEvents(
    said.map(({ observation }) => observation),
    numbers,
  ).map((event) => ({
    ...event,
    ...(event['eventType'] === 'EQUIPMENT' && {
      ISOEquipmentCode: size,
      seals: [{ sealNumber: seal, sealSource: 'CAR' }],
    }),
  }))
}

function writeNotices({ known, number, at }: GivenStep): readonly Buffer[] {
  const isRead = known.some(({ equipment }) => equipment !== null)
  const label = `sample ${number}`
  return isRead ? [json([writeArrivalNotice(known, { bill: sampleBill, label, issuedAt: at })])] : []
}

function inX12(words: X12Journey['words'], { said, known }: GivenStep): readonly Buffer[] {
  const fresh = said.map(({ observation }) => observation)
  const standing = known.filter((each) => each.kind === 'fact' && !fresh.includes(each) && !isToldAlone(each))
  const journey = { words, box: sampleBox, ...numbers, said: [...standing, ...fresh] }
  return [Buffer.from(withRest(words, `${writeX12(carriedByX12(journey))}`))]
}

/** Adds elements that the samples' writer does not write: the railway, its first and last ramp, and the terminal. */
function withRest(words: X12Journey['words'], text: string): string {
  const own = {
    rail: ['R4*6*UN*USLAX', 'R4*7*UN*USCHI', 'N1*RR*SYNTHETIC RAILWAY*2*UP'],
    line: ['N9*RR*UP'],
    terminal: ['N9*RR*UP', 'N9*TT*SAMPLE'],
  }[words]
  return text.replace(/^SE\*(\d+)/gm, (_, count: string) => [...own, `SE*${Number(count) + own.length}`].join('~\n'))
}

function isToldAlone(said: Observation): boolean {
  return said.kind === 'event' || /^(hold|available|pickup_)/.test(said.fact)
}

function inEdifact({ said, known, at, number }: GivenStep) {
  const facts = known.filter(({ kind }) => kind === 'fact')
  const fresh = said.flatMap(({ observation }) => (observation.kind === 'event' ? [observation] : []))
  return { ...numbers, observations: [...facts, ...fresh], writtenAt: at, reference: `STEP${number}` }
}

/** Adds the size type of the box, which the samples' writer leaves out. */
function withSize(message: Buffer): Buffer {
  return Buffer.from(`${message}`.replaceAll(`EQD+CN+${sampleBox}+`, `EQD+CN+${sampleBox}+45G1:102:5`))
}

function writeQuayReports(step: GivenStep): readonly Buffer[] {
  return writeCoarri(inEdifact(step), new Set(['KRPUS'])).map(withSize)
}

function ofKind({ said }: GivenStep, kind: SourceKind): readonly Observation[] {
  return said.filter(({ source }) => source.kind === kind).map(({ observation }) => observation)
}

function hearStatements({ at }: GivenStep, by: Source, observations: readonly Observation[]): readonly HeardReading[] {
  if (observations.length === 0) return []
  const body = Buffer.from(writeStatements(observations, numbers))
  return hearDelivery({ source: 'statements', by, body, at })
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function lastOf(known: readonly Observation[], name: string): unknown {
  const said = known.findLast((each) => each.kind === 'fact' && each.fact === name)
  return said?.kind === 'fact' ? said.value : null
}
