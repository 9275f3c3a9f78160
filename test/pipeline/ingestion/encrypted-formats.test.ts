// In no language and at no place of a message is anything stored unencrypted with which the cargo can be picked up, or
// that names its owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewChannel } from '../../../src/modules/channels/channels.ts'
import { findInClear } from '../../support/find-in-clear.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { openIntake } from './ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const pin = 'PIN4711SECRET'
const party = 'STILL HOUSE TRADING'
const [owner, serial, check] = [box.slice(0, 4), box.slice(4, 10), box.slice(10)]

const x12 = [
  'ISA*00*          *00*          *ZZ*PIER           *ZZ*LANDFALL       *260201*1200*U*00401*000000007*0*P*>',
  'GS*QO*PIER*LANDFALL*20260201*1200*7*X*004010',
  'ST*315*0001',
  `B4***AV*20260126*0900**${owner}*${serial}*L*45R1*LOS ANGELES*UN*${check}`,
  `N9*BM*${bill}`,
  `N9*GC*${pin}`,
  `N9*ZZ*${pin}`,
  `N1*CN*${party}`,
  `N1*${pin}*${party}`,
  `NTE*${pin}*${pin} ${party}`,
  'R4*D*UN*USLAX*LOS ANGELES*US',
  'SE*10*0001',
  'GE*1*7',
  'IEA*1*000000007~',
].join('~')

/** A word in the place of a code. An issue quotes it, so that an operator can define its meaning. */
const x12Misplaced = x12.replace('SE*10', `DTM*${pin}*20260101~SE*11`)

const edifact = [
  'UNB+UNOA:2+LINE+LANDFALL+260201:1200+77',
  'UNH+1+IFTSTA:D:99B:UN',
  'BGM+23+9',
  `NAD+CN+++${party}`,
  `RFF+BM:${bill}`,
  'CNI+1+1',
  'STS+1+AVPU::ZZZ',
  `RFF+ZZZ:${pin}`,
  `FTX+AAI+++${pin}:${party}`,
  `EQD+CN+${box}+45G1`,
  `LOC+9+${pin}`,
  'UNT+9+1',
  "UNZ+1+77'",
].join("'")

interface Way {
  readonly of: Partial<NewChannel>
  readonly said: readonly unknown[]
  readonly misplaced: readonly unknown[]
}

const [event] = journey(bill, 'arrived').slice(-1)
const ways: Readonly<Record<string, Way>> = {
  x12: {
    of: { source: 'x12', profile: {}, speaker: { kind: 'terminal', code: 'W185' } },
    said: [x12, x12.slice(0, -40)],
    misplaced: [x12Misplaced],
  },
  edifact: { of: { source: 'edifact', profile: {} }, said: [edifact, edifact.slice(0, -60)], misplaced: [] },
  statements: {
    of: { source: 'statements', profile: {} },
    said: [
      { container: box, bill, says: 'pickup_number', value: pin, note: party },
      { container: box, bill, says: 'pickup_number', value: { number: pin } },
      { container: box, bill, says: 'pickup_pin', value: pin },
      { container: box, bill, says: 'available', value: pin },
      { container: box, bill, says: 'hold', value: { name: 'customs', status: pin } },
      { bill: [pin], says: 'pickup_number', value: pin },
      `{"says":"pickup_number","value":"${pin}`,
      `${pin} ${party}`,
    ],
    misplaced: [
      { container: box, bill, says: pin, value: pin },
      { container: box, bill, says: 'DISC', at: pin },
    ],
  },
  dcsa: {
    of: {},
    said: [
      {
        ...event,
        eventID: crypto.randomUUID(),
        pickupNumber: pin,
        parties: [{ partyName: party }],
        remark: `${pin} ${party}`,
      },
    ],
    misplaced: [{ ...event, eventClassifierCode: pin, eventDateTime: pin }],
  },
}

for (const [name, { of, said, misplaced }] of Object.entries(ways))
  test(`stores the pick-up number and party of ${name} only encrypted, except where issues quote a misplaced code`, async (t) => {
    const stage = await openIntake(t)
    stage.carrier.answers({ json: journey(bill, 'sailed') })
    await stage.track(bill)
    await stage.drain()
    await stage.open({ name: 'way', ...of })
    const tell = async (all: readonly unknown[]): Promise<readonly string[]> => {
      for (const each of all) await stage.send('way', each)
      await stage.drain()
      return [...(await findInClear(stage.service.pool, pin)), ...(await findInClear(stage.service.pool, party))]
    }
    assert.deepEqual(await tell(said), [])
    assert.equal((await stage.rows('select from inbound_messages')).length, said.length)
    const quoting = ['inbound_messages.faults', 'issues.detail']
    assert.deepEqual(
      (await tell(misplaced)).filter((each) => !quoting.includes(each)),
      [],
    )
    for (const line of stage.logged()) assert.ok(!JSON.stringify(line).includes(pin), JSON.stringify(line))
  })
