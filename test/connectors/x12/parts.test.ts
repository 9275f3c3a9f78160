import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import { interchange, readPart, sample, sampleNames, x12 } from './fixtures.ts'

const b4 = (container: string, status = 'VA') => `B4***${status}*20260301*1450**${container}*L**USLAX*UN`
const aboutOf = (delivery: Buffer) =>
  x12
    .splitDelivery(delivery, {})
    .parts.map(({ about }) => about.map(({ kind, number }) => `${kind} ${number}`).join(', '))
const faultsOf = (delivery: Buffer) =>
  x12.splitDelivery(delivery, {}).faults.map(({ kind, path, lost }) => `${kind} ${path} ${lost}`)

test('splits a delivery into one part for each message, with its bill, booking and container', () => {
  const delivery = interchange(
    ['315', b4('TCNU*123456'), 'N9*BM*HLCU NGB 260101', 'N9*BN*6phlsa1234'],
    ['315', b4('TCNU*1234565')],
    ['315', b4('CXRU*125502'), 'N9*EQ*CXRU 125502-2'],
    ['322', 'Q5*AL*20260302*0730*LT**LONG BEACH*CA*US', 'N7*HASU*431617*********CN'],
  )
  assert.deepEqual(aboutOf(delivery), [
    'bill_of_lading HLCUNGB260101, booking 6PHLSA1234, container TCNU1234565',
    'container TCNU1234565',
    'container CXRU1255022',
    'container HASU4316170',
  ])
  assert.deepEqual(faultsOf(delivery), [])
})

test('the key of a delivery is the sender, its own numbers and a hash of its content', () => {
  const keysOf = (delivery: Buffer) => x12.splitDelivery(delivery, {}).parts.map(({ deliveryKey }) => deliveryKey)
  const delivery = interchange(['315', b4('TCNU*123456')], ['315', b4('TCNU*123456')])
  const keys = keysOf(delivery)
  assert.deepEqual(
    keys.map((key) => key?.split(' ')[0]),
    ['ZZ:SENDER/000000007/7/0001', 'ZZ:SENDER/000000007/7/0002'],
  )
  assert.deepEqual(keysOf(Buffer.from(delivery)), keys, 'the same interchange has the same keys')
  const other = keysOf(interchange(['315', b4('HASU*431617')]))
  assert.equal(other[0]?.split(' ')[0], keys[0]?.split(' ')[0])
  assert.notEqual(other[0], keys[0])
  const bare = Buffer.from(`ST*315*0001~${b4('TCNU*123456')}~SE*3*0001~`)
  assert.deepEqual(
    x12.splitDelivery(bare, {}).parts.map(({ deliveryKey }) => deliveryKey),
    [null],
  )
})

test('the time of writing of a message is known only with the partner’s zone', () => {
  const delivery = interchange(['315', b4('TCNU*123456')])
  const writtenAt = (profile: object) => x12.splitDelivery(delivery, profile).parts[0]?.writtenAt
  assert.equal(writtenAt({}), null)
  assert.equal(writtenAt({ envelopeZone: 'America/Los_Angeles' }), '2026-03-01T16:00:00.000Z')
})

test('assigns a message without a valid container number to its bill of lading', () => {
  const named = interchange(['315', `${b4('TCNA*123456')}*9`, 'N9*BM*HLCUNGB260101'])
  assert.deepEqual(aboutOf(named), ['bill_of_lading HLCUNGB260101'])
  const wrong = interchange(['315', `${b4('TCNU*123456')}*9`])
  assert.deepEqual(aboutOf(wrong), ['container TCNU1234569'], 'such boxes exist')
  const unnamed = interchange(['315', `${b4('TCNA*123456')}*9`])
  assert.deepEqual(aboutOf(unnamed), [])
  assert.deepEqual(faultsOf(unnamed), ['bad_equipment /4/8 event'])
  assert.deepEqual(faultsOf(interchange(['315', 'B4***VA*20260301'])), ['missing_field /3 event'])
})

test('the status of a trailer or chassis belongs to its bill of lading and to no container', () => {
  const delivery = interchange(['322', 'Q5*AL*20260302*0730*LT', 'N7*HASU*431617*********CH', 'N9*BM*A5GEMEN1976X'])
  assert.deepEqual(aboutOf(delivery), ['bill_of_lading A5GEMEN1976X'])
})

test('each X12 message of an unsupported type is reported', () => {
  const delivery = interchange(['214', 'B10*1*2*SCAC'], ['315', b4('TCNU*123456')], ['997', 'AK1*QO*7'])
  assert.deepEqual(faultsOf(delivery), ['unsupported_message /3 event', 'unsupported_message /9 event'])
  assert.equal(aboutOf(delivery).length, 1)
})

test('each part can be read alone, and hides its sender and receiver', () => {
  for (const name of sampleNames.filter((each) => /X12-(315|322)/.test(each))) {
    for (const part of x12.splitDelivery(sample(name), {}).parts) {
      const text = part.body.toString('latin1')
      assert.doesNotMatch(text.slice(0, 300), /HAMSUD|GSCL|PARTNERID|SOURCE|TARGET/)
      const again = x12.splitDelivery(part.body, {})
      assert.deepEqual(
        again.parts.map(({ about }) => about),
        [part.about],
      )
      assert.notEqual(readPart(part).outcome, 'unrecognized')
    }
  }
  const secret = interchange(['315', b4('TCNU*123456')])
    .toString()
    .replace('00*          *00*          ', '00*MYUSER    *01*MYPASSWORD')
  const [part] = x12.splitDelivery(Buffer.from(secret), {}).parts
  assert.doesNotMatch(part?.body.toString() ?? '', /MYUSER|MYPASSWORD|SENDER|RECEIVER/)
  assert.deepEqual(x12.splitDelivery(part?.body ?? Buffer.alloc(0), {}).faults, [])
})

test('the byte ranges of a part contain its own message, and no other message', () => {
  const delivery = interchange(
    ['315', b4('TCNU*123456'), 'N9*BM*AAAA1111'],
    ['315', b4('HASU*431617'), 'N9*BM*BBBB2222'],
  )
  const texts = x12
    .splitDelivery(delivery, {})
    .parts.map(({ ranges }) => ranges.map(({ from, to }) => delivery.subarray(from, to).toString()).join(''))
  assert.equal(texts.length, 2)
  assert.match(texts[0] ?? '', /^ST\*315\*0001~.*AAAA1111.*SE\*4\*0001~$/)
  assert.doesNotMatch(texts[0] ?? '', /BBBB2222|HASU/)
  assert.match(texts[1] ?? '', /^ST\*315\*0002~.*BBBB2222.*SE\*4\*0002~$/)
})

test('a message of several containers is split between them, and shared segments go with each', () => {
  const delivery = interchange([
    '322',
    'Q5*AL*20260302*0730*LT**LONG BEACH*CA*US',
    'N7*HASU*431617*********CN',
    'M7*SEALONE',
    'W2*HASU*431617**CC*L',
    'N7*TCNU*123456*********CN',
    'M7*SEALTWO',
    'R4*5*UN*USLGB*LONG BEACH*US***CA',
    'N9*BM*A5GEMEN1976X',
  ])
  const { parts, faults } = x12.splitDelivery(delivery, {})
  assert.deepEqual(faults, [])
  assert.deepEqual(aboutOf(delivery), [
    'bill_of_lading A5GEMEN1976X, container HASU4316170',
    'bill_of_lading A5GEMEN1976X, container TCNU1234565',
  ])
  assert.deepEqual(
    parts.map(({ deliveryKey }) => deliveryKey?.split(' ')[0]?.slice(-6)),
    ['0001/1', '0001/2'],
  )
  for (const [index, part] of parts.entries()) {
    const mine = part.ranges.map(({ from, to }) => delivery.subarray(from, to).toString()).join('')
    for (const text of [mine, part.body.toString()]) {
      assert.equal(text.includes('SEALONE'), index === 0)
      assert.equal(text.includes('SEALTWO'), index === 1)
      assert.match(text, /R4\*5\*UN\*USLGB/)
    }
    assert.deepEqual(x12.splitDelivery(part.body, {}).faults, [])
  }
})

test('two statuses of one message about different containers are two parts', () => {
  const delivery = interchange(['315', b4('TCNU*123456'), 'N9*BM*AAAA1111', b4('HASU*431617'), 'N9*BM*BBBB2222'])
  assert.deepEqual(aboutOf(delivery), [
    'bill_of_lading AAAA1111, container TCNU1234565',
    'bill_of_lading BBBB2222, container HASU4316170',
  ])
})

test('a message in which thousands of containers share thousands of segments is reported as a fault', () => {
  const containers = Array.from({ length: 2_000 }, (_, index) => `N7*TCNU*${100000 + index}*********CN`)
  const shared = Array.from({ length: 2_000 }, (_, index) => `R4*T*UN*USLAX*${index}`)
  const delivery = interchange(['322', 'Q5*AL*20260302', ...containers, ...shared])
  assert.deepEqual(faultsOf(delivery), ['broken_syntax /3 event'])
})

test('a status whose references name several containers gives one part for each container', () => {
  const delivery = interchange([
    '315',
    'B4***VA*20260301*1450****L**USLAX*UN',
    'N9*BM*HLCUNGB260101',
    'N9*EQ*TCNU1234565',
    'N9*EQ*HASU4316170',
  ])
  assert.deepEqual(aboutOf(delivery), [
    'bill_of_lading HLCUNGB260101, container TCNU1234565',
    'bill_of_lading HLCUNGB260101, container HASU4316170',
  ])
  const [first] = x12.splitDelivery(delivery, {}).parts
  assert.doesNotMatch(first?.body.toString() ?? '', /HASU/)
})

test('a status about one container reports the other containers in its references as lost', () => {
  const delivery = interchange(['315', b4('TCNU*123456'), 'N9*EQ*HASU4316170', 'N9*EQ*TCNU 123456-5'])
  assert.deepEqual(aboutOf(delivery), ['container TCNU1234565'])
  assert.deepEqual(faultsOf(delivery), ['bad_equipment /5/2 event'])
})

test('the time to split a status about many containers grows in proportion to their number', () => {
  const references = (count: number) =>
    Array.from({ length: count }, (_, nth) => {
      const ten = `TCNU${String(nth).padStart(6, '0')}`
      return `N9*EQ*${ten}${containerCheckDigit(ten)}`
    })
  const msOfPart = (count: number): number => {
    const status = 'B4***VA*20260301*1450*****L**USLAX*UN'
    const message = ['315', status, ...references(count)] as const
    const delivery = interchange(message, message, message, message)
    const tries = Array.from({ length: 3 }, () => {
      const startedAt = performance.now()
      const { parts } = x12.splitDelivery(delivery, {})
      assert.equal(parts.length, 4 * count)
      return performance.now() - startedAt
    })
    return Math.min(...tries) / count
  }
  msOfPart(500)
  const [few, many] = [msOfPart(500), msOfPart(4_500)]
  assert.ok(many < 3 * few, `${few} ms a box of 500, ${many} ms a box of 4,500`)
})
