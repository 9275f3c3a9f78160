/** Statements as carriers, terminals and railways make them: few places and ships, days and instants within weeks. */

import fc from 'fast-check'
import type { EventObservation, Source } from '../../../src/domain/statements/observation.ts'
import type { EventCode } from '../../../src/domain/values/codes.ts'
import type { EventTime } from '../../../src/domain/values/time.ts'
import { zones } from '../../support/zones.ts'

export const likelySources: fc.Arbitrary<Source> = fc.constantFrom(
  { kind: 'shipping_line', code: 'HLCU' },
  { kind: 'terminal', code: 'Y258' },
  { kind: 'rail', code: 'UP' },
  { kind: 'ais', code: 'A' },
)
export const moments = fc.integer({ min: 0, max: 45 * 24 }).map((hours) => Date.UTC(2026, 0, 1) + hours * 3_600_000)
const times: fc.Arbitrary<EventTime> = fc.oneof(
  moments.map((ms): EventTime => ({ kind: 'instant', at: new Date(ms).toISOString() })),
  moments.map((ms): EventTime => ({ kind: 'day', on: new Date(ms).toISOString().slice(0, 10) })),
  moments.map((ms): EventTime => ({ kind: 'local', local: new Date(ms).toISOString().slice(0, 19) })),
)
const codes = fc.constantFrom<EventCode>('LOAD', 'DISC', 'ARRI', 'DEPA', 'GTIN', 'GTOT', 'AVPU', 'STRP')
export const likelyEvents: fc.Arbitrary<EventObservation> = fc
  .record({
    classifier: fc.constantFrom('ACT' as const, 'ACT' as const, 'EST' as const, 'PLN' as const),
    code: codes,
    load: fc.constantFrom('LADEN' as const, 'EMPTY' as const, null),
    mode: fc.constantFrom('VESSEL' as const, 'RAIL' as const, 'BARGE' as const, null),
    time: times,
    port: fc.constantFrom('CNNGB', 'KRPUS', 'USLAX', 'USCHI', 'NZAKL', null),
    vessel: fc.constantFrom({ imo: '9321483', name: 'One' }, { imo: null, name: 'Two' }, null),
    voyage: fc.constantFrom('1', '2', null),
    callId: fc.constantFrom('c1', 'c2', 'c3', null),
    equipment: fc.constantFrom('TCNU1234565', 'TCNU1234565', 'TEMU5550108', null),
    statedAt: fc.option(
      moments.map((ms) => new Date(ms).toISOString()),
      { nil: null },
    ),
  })
  .map(({ port, ...stated }) => ({
    kind: 'event',
    key: '',
    isRetracted: false,
    callSequence: null,
    original: null,
    ...stated,
    place: {
      unlocode: port,
      terminalId: null,
      facilityCode: null,
      facilityType: null,
      name: port === null ? 'Somewhere' : null,
      timeZone: port === null ? null : (zones.get(port) ?? null),
    },
  }))
