import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AcknowledgementKind, writeAcknowledgement } from '../../../src/connectors/x12/acknowledgement.ts'
import { readMessages } from '../../../src/connectors/x12/messages.ts'
import { isFault, readSegments } from '../../../src/connectors/x12/segments.ts'
import { interchange, sample, sampleNames } from './fixtures.ts'

const of = (kind: AcknowledgementKind = '997') => {
  let last = 11
  const nextControlNumber = () => {
    last += 1
    return last
  }
  return { kind, now: '2026-03-01T09:30:00.000Z', nextControlNumber }
}
const answer = (delivery: Buffer, kind: AcknowledgementKind = '997') =>
  writeAcknowledgement(delivery, of(kind))?.toString('latin1').split('~').slice(0, -1) ?? null
const b4 = 'B4***UV*20260301*1450**TCNU*123456*L'
const delivery = interchange(['315', b4], ['315', b4])

test('a 997 reports to the sender that each message was received', () => {
  assert.deepEqual(answer(delivery), [
    'ISA*00*          *00*          *ZZ*RECEIVER       *ZZ*SENDER         *260301*0930*U*00401*000000012*0*P*>',
    'GS*FA*RECEIVER*SENDER*20260301*0930*12*X*004010',
    'ST*997*0001',
    'AK1*QO*7',
    'AK2*315*0001',
    'AK5*A',
    'AK2*315*0002',
    'AK5*A',
    'AK9*A*2*2*2',
    'SE*8*0001',
    'GE*1*12',
    'IEA*1*000000012',
  ])
})

test('a 999 reports to the sender that each message was received', () => {
  assert.deepEqual(answer(delivery, '999')?.slice(1, 10), [
    'GS*FA*RECEIVER*SENDER*20260301*0930*12*X*005010X231A1',
    'ST*999*0001*005010X231A1',
    'AK1*QO*7*004010',
    'AK2*315*0001',
    'IK5*A',
    'AK2*315*0002',
    'IK5*A',
    'AK9*A*2*2*2',
    'SE*8*0001',
  ])
})

test('a wrong count, control number, end or message type is reported to the sender in the acknowledgement', () => {
  const answered = (change: (text: string) => string) =>
    answer(Buffer.from(change(delivery.toString())))?.filter((each) => /^AK[59]/.test(each))
  assert.deepEqual(
    answered((text) => text.replace('SE*3*0001', 'SE*7*0001')),
    ['AK5*E*4', 'AK5*A', 'AK9*E*2*2*2'],
  )
  assert.deepEqual(
    answered((text) => text.replace('SE*3*0001', 'SE*3*7')),
    ['AK5*E*3', 'AK5*A', 'AK9*E*2*2*2'],
  )
  assert.deepEqual(
    answered((text) => text.slice(0, text.lastIndexOf('SE*'))),
    ['AK5*A', 'AK5*R*2', 'AK9*P*2*2*1'],
  )
  assert.deepEqual(
    answered((text) => text.replaceAll('ST*315', 'ST*214')),
    ['AK5*R*1', 'AK5*R*1', 'AK9*R*2*2*0'],
  )
})

test('no acknowledgement is sent for an acknowledgement', () => {
  for (const kind of ['997', '999'] as const) {
    const acknowledgement = writeAcknowledgement(delivery, of(kind))
    assert.ok(acknowledgement)
    assert.equal(answer(acknowledgement), null)
  }
  assert.equal(answer(interchange(['997', 'AK1*QO*7'])), null)
  assert.equal(answer(interchange(['999', 'AK1*QO*7'])), null)
  assert.equal(answer(Buffer.from('no interchange')), null)
})

test('each X12 interchange is acknowledged with its own separators and a new control number', () => {
  const other = Buffer.from(delivery.toString().replaceAll('~', '\n').replaceAll('*', '|'))
  const text = writeAcknowledgement(Buffer.concat([delivery, other]), of())?.toString() ?? ''
  assert.match(text, /IEA\*1\*000000012~/)
  assert.match(text, /\nIEA\|1\|000000013\n$/)
})

test('the acknowledgement of any delivery is a valid interchange, and writing it never throws', () => {
  const bodies = [delivery, ...sampleNames.map(sample)]
  fc.assert(
    fc.property(fc.constantFrom(...bodies), fc.nat(), fc.nat({ max: 255 }), (body, at, byte) => {
      const changed = Buffer.from(body)
      changed[at % body.length] = byte
      for (const each of [changed, body.subarray(0, at % body.length)]) writeAcknowledgement(each, of())
    }),
    { numRuns: 300 },
  )
  for (const body of bodies) {
    const written = writeAcknowledgement(body, of())
    if (written !== null) assert.deepEqual([...readMessages(readSegments([written]))].filter(isFault), [])
  }
})
