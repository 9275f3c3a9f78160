// A terminal gets a list of the wanted containers and an address for deliveries. Its deliveries are read by the same
// description.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPollStates } from '../../../src/modules/channels/poll-config.ts'
import { type Asked, startLine } from '../../connectors/line-server.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const describe = (base: string) => ({
  name: 'pier',
  source: 'facility',
  speaker: { kind: 'terminal', code: 'Y258' } as const,
  profile: {
    verified: false,
    stands: [{ port: 'USLAX' }],
    boxes: '/updates/*',
    number: '/nbr',
    writtenAt: { at: '/at' },
    facts: { yard_location: { at: '/spot' } },
  },
  pollConfig: {
    profile: {
      base,
      path: '/subscriptions',
      method: 'POST',
      body: { callback: '{inbound}', bearer: '{secret:channelKey}', units: ['{number}'] },
      batchMax: 50,
      rate: {},
      subscription: { againHours: 48 },
    },
    secrets: { channelKey: 'CK-s3cret' },
  },
})

test("subscribes a container once with the channel's address, renews it after the set time, and uses deliveries", async (t) => {
  const env = { LANDFALL_PUBLIC_URL: 'https://track.example' }
  const stage = await openIntake(t, { env })
  const pier = await startLine((_: Asked, response) => response.writeHead(201).end('{"id":"s-1"}'))
  t.after(() => pier.close())
  stage.carrier.answers({ json: journey(bill, 'discharged') }, bill)
  await stage.open(describe(pier.base))
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(
    pier.asked.map(({ body }) => JSON.parse(body)),
    [{ callback: 'https://track.example/v2/inbound/pier', bearer: 'CK-s3cret', units: [box] }],
  )
  await stage.send('pier', { updates: [{ nbr: box, spot: 'A 1', at: '2026-02-01T00:10:00Z' }] })
  await stage.drain()
  const { spot } = await stage.row<{ spot: string }>(`select projection ->> 'yardLocation' as spot from containers`)
  assert.equal(spot, 'A 1')
  await stage.pass(30)
  assert.equal(pier.asked.length, 1)
  await stage.pass(48)
  assert.equal(pier.asked.length, 2)
  const [state] = [...(await listPollStates(stage.service)).values()]
  assert.equal(state?.trouble, null)
  assert.ok(!JSON.stringify(stage.logged()).includes('CK-s3cret'))
})

test('subscribes nothing without a public address, and shows the operator why', async (t) => {
  const stage = await openIntake(t)
  const pier = await startLine((_: Asked, response) => response.writeHead(201).end())
  t.after(() => pier.close())
  stage.carrier.answers({ json: journey(bill, 'discharged') }, bill)
  await stage.open(describe(pier.base))
  await stage.track(bill)
  await stage.drain()
  const [state] = [...(await listPollStates(stage.service)).values()]
  assert.match(state?.trouble ?? '', /this installation has no public address: set LANDFALL_PUBLIC_URL/)
  assert.equal(pier.asked.length, 0)
})
