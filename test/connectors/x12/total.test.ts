import { test } from 'node:test'
import fc from 'fast-check'
import { interchange, sample, sampleNames } from './fixtures.ts'
import { checkDelivery, fuzzX12 } from './fuzz.ts'

const status = interchange([
  '315',
  'B4***UV*20260301*1450**TCNU*123456*L*45G1*USLAX*UN*5',
  'N9*BM*HLCUNGB260101',
  'SG*PA***20260301',
  'R4*D*UN*USLAX*LOS ANGELES*US',
  'DTM*140*20260301*1450*LT',
])

test('every public sample is split and read without an exception, whatever message it is', () => {
  for (const name of sampleNames) checkDelivery(sample(name))
})

test('splitting and reading never throw on arbitrary bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => checkDelivery(Buffer.from(bytes))),
    { numRuns: 300 },
  )
})

test('splitting and reading never throw on a status with any byte changed or cut anywhere', () => {
  fc.assert(
    fc.property(fc.nat({ max: status.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
      const changed = Buffer.from(status)
      changed[at] = byte
      checkDelivery(changed)
      checkDelivery(status.subarray(0, at))
    }),
    { numRuns: 200 },
  )
})

test('splitting and reading never throw on a status with any text in place of any element', () => {
  const segments = status.toString().split('~')
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.string({ unit: 'binary', maxLength: 40 }), (segment, element, text) => {
      const changed = segments.map((each) => each.split('*'))
      const row = changed[segment % changed.length] ?? []
      row[element % Math.max(1, row.length)] = text
      checkDelivery(Buffer.from(changed.map((each) => each.join('*')).join('~')))
    }),
    { numRuns: 300 },
  )
})

test('random X12 deliveries, tried for four seconds, break no rule of the reader', () => {
  const seed = Date.now() % 1_000_000
  const tried = fuzzX12({ forMs: 4_000, seed })
  if (tried === 0) throw new Error('nothing was tried')
})
