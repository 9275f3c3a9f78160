// Landfall polls terminals and railways by itself, only about the containers that come to them.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { NewChannel } from '../../../src/modules/channels/channels.ts'
import { changeChannel } from '../../../src/modules/channels/channels.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { sendJson, startLine } from '../../connectors/line-server.ts'
import { box, event, journey, otherBox } from '../../support/tracking-harness.ts'
import { openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const key = 'KEY-s3cret-of-the-operator'
type Unit = Readonly<Record<string, unknown>>

const answer = {
  verified: false,
  stands: [{ port: 'USLAX', code: 'LA1' }],
  zone: 'place',
  boxes: '/units/*',
  number: '/nbr',
  isFullPicture: true,
  facts: {
    available: { at: '/ready', yes: ['Y'], no: ['N'] },
    pickup_lfd_terminal: { at: '/lfd' },
    pickup_lfd_rail: { at: '/railLfd' },
    yard_location: { at: '/spot' },
  },
  holds: [{ list: '/holds/*', word: '', names: { CUS: 'customs' } }],
  events: [{ says: 'GTOT LADEN', time: { at: '/out' } }],
}

/** A bill on its way to Los Angeles, and a terminal there whose answers the test sets. */
async function openPier(t: TestContext, options: Parameters<typeof openIntake>[1] = {}) {
  const stage = await openIntake(t, options)
  let units: readonly Unit[] = []
  const pier = await startLine(({ url }, response) => {
    const asked = url.pathname.split('/').at(-1)?.split(',') ?? []
    sendJson(response, { units: units.filter(({ nbr }) => asked.includes(String(nbr))) })
  })
  t.after(() => pier.close())
  stage.carrier.answers({ json: journey(bill, 'discharged') }, bill)
  return {
    ...stage,
    says: (...next: readonly Unit[]) => {
      units = next
    },
    questions: () => pier.asked.map(({ url }) => url.pathname),
    openPier: (of: Partial<NewChannel> = {}, changes: Unit = {}, how: Unit = {}) =>
      stage.open({
        name: 'pier',
        source: 'facility',
        speaker: { kind: 'terminal', code: 'Y258' },
        profile: { ...answer, ...changes },
        pollConfig: {
          profile: {
            base: pier.base,
            path: '/{secret:apiKey}/{facility}/{numbers}',
            batchMax: 20,
            rate: {},
            ...how,
          },
          secrets: { apiKey: key },
        },
        ...of,
      }),
    projection: async <Value>(path: string, number = box) => {
      const { value } = await stage.row<{ value: Value }>(
        'select projection #> $1::text[] as value from containers where number = $2',
        [path.split('.'), number],
      )
      return value
    },
    asked: () =>
      stage.rows<{ number: string; facility: string | null; hours: number }>(
        `select number, facility, round((extract(epoch from next_ask_at) - $1) / 3600, 1)::float8 as hours
           from asked_numbers order by number`,
        [stage.clock.now() / 1_000],
      ),
  }
}

const eta = (at: string, place: 'USLAX' | 'CNSHG' = 'USLAX') =>
  event({ told: 900, bill, code: 'ARRI', classifier: 'EST', at, place, boxes: [box] })

test('polls the terminal for a container in the port and uses the answer; stores the key only encrypted', async (t) => {
  const stage = await openPier(t)
  await stage.openPier()
  stage.says({ nbr: box, ready: 'N', lfd: '2026-02-05', spot: 'A 12', holds: ['CUS'] })
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [`/${key}/LA1/${box}`])
  assert.equal(await stage.projection('available'), false)
  assert.equal(await stage.projection('yardLocation'), 'A 12')
  assert.equal(await stage.projection('freeTime.terminal.on'), '2026-02-05')
  assert.deepEqual(await stage.projection('holds'), [{ name: 'customs', status: 'hold', description: 'CUS' }])
  assert.ok(!JSON.stringify(stage.logged()).includes(key))
  const stored = await stage.rows(
    `select to_jsonb(c) - 'secret_sealed' as row from channels c union all select to_jsonb(m) from inbound_messages m
      union all select to_jsonb(i) from issues i`,
  )
  assert.ok(!JSON.stringify(stored).includes(key))
  const fold = foldBy(readRules(stage.service.config))
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  assert.deepEqual((await rebuildProjections(stage.service, fold, quietly)).differences, [])
})

test('applies a hold again after it was lifted, even if the answer equals an earlier answer', async (t) => {
  const stage = await openPier(t)
  await stage.openPier()
  const holdsAre = async (holds: readonly string[]) => {
    stage.says({ nbr: box, holds })
    await stage.pass(4)
    return (await stage.projection<readonly unknown[]>('holds')).length
  }
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual([await holdsAre(['CUS']), await holdsAre([]), await holdsAre(['CUS'])], [1, 0, 1])
})

test('withdraws a fact that the next complete answer of the terminal omits', async (t) => {
  const stage = await openPier(t)
  await stage.openPier()
  stage.says({ nbr: box, lfd: '2026-02-05', spot: 'A 12' })
  await stage.track(bill)
  await stage.drain()
  stage.says({ nbr: box, spot: 'B 1' })
  await stage.pass(4)
  assert.equal(await stage.projection('freeTime.terminal'), null)
  assert.equal(await stage.projection('yardLocation'), 'B 1')
})

test('stores and uses again only the changed container of a batch', async (t) => {
  const stage = await openPier(t)
  stage.carrier.answers({ json: journey(bill, 'discharged', [box, otherBox]) }, bill)
  await stage.openPier()
  stage.says({ nbr: box, spot: 'A' }, { nbr: otherBox, spot: 'B' })
  await stage.track(bill)
  await stage.drain()
  assert.equal(stage.questions().length, 1)
  const mentions = async () => (await stage.rows('select from mentions')).length
  assert.equal(await mentions(), 2)
  stage.says({ nbr: box, spot: 'A' }, { nbr: otherBox, spot: 'C' })
  const { now } = await stage.row<{ now: string }>('select max(next_ask_at) as now from asked_numbers')
  await stage.rows('update asked_numbers set next_ask_at = $1', [now])
  stage.clock.set(Date.parse(now))
  await stage.drain()
  assert.equal(await mentions(), 3)
  assert.equal(await stage.projection('yardLocation', otherBox), 'C')
})

test('does not poll a terminal for a container bound for another port, nor after gate-out', async (t) => {
  const stage = await openPier(t)
  await stage.openPier({}, { stands: [{ port: 'USLGB' }] })
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual([stage.questions(), await stage.asked()], [[], []])
  await changeChannel(stage.service, { name: 'pier', profile: answer })
  await stage.drain()
  assert.equal(stage.questions().length, 1)
  stage.says({ nbr: box, out: '2026-01-31T10:00:00' })
  await stage.pass(4)
  assert.equal(await stage.projection('status'), 'picked_up')
  const before = stage.questions().length
  await stage.pass(24 * 3)
  assert.deepEqual([stage.questions().length, await stage.asked()], [before, []])
})

test('does not poll for a container at sea until three days before its ship arrives, even if the ETA moves', async (t) => {
  const stage = await openPier(t, { startAt: '2026-01-10T00:00:00Z' })
  stage.carrier.answers({ json: [...journey(bill, 'sailed'), eta('2026-01-24T06:00:00-08:00')] }, bill)
  await stage.openPier()
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  assert.deepEqual(
    (await stage.asked()).map(({ number, facility }) => [number, facility]),
    [[box, 'LA1']],
  )
  await stage.pass(24 * 3)
  assert.deepEqual(stage.questions(), [])
  stage.carrier.answers({ json: [...journey(bill, 'sailed'), eta('2026-01-16T06:00:00-08:00')] }, bill)
  await stage.pass(24 * 2)
  assert.ok(stage.questions().length > 0)
})

test('polls only the terminal where a container is actually discharged', async (t) => {
  const stage = await openPier(t)
  await stage.openPier()
  await stage.openPier({ name: 'shanghai' }, { stands: [{ port: 'CNSHG', code: 'SH' }] })
  stage.carrier.answers({ json: [...journey(bill, 'sailed')] }, bill)
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  stage.carrier.answers({ json: journey(bill, 'discharged') }, bill)
  await stage.pass(24)
  assert.ok(stage.questions().length > 0)
  assert.ok(stage.questions().every((path) => path.includes('/LA1/')))
})

test('polls more often for a container as its free time ends', async (t) => {
  const stage = await openPier(t)
  await stage.openPier()
  stage.says({ nbr: box, lfd: '2026-02-20' })
  await stage.track(bill)
  await stage.drain()
  const gap = async () => (await stage.asked())[0]?.hours ?? assert.fail()
  const far = await gap()
  stage.says({ nbr: box, lfd: '2026-02-02' })
  // The answer decides the time of the question after the next one.
  await stage.pass(2 * far + 0.5)
  const near = await gap()
  assert.ok(far > 2.5 && near <= 2.3, `${far} ${near}`)
})

test('polls a railway for the containers that it carries or that go to its ramps, and for no other', async (t) => {
  const stage = await openPier(t)
  const rail = { kind: 'rail', code: 'BNSF' } as const
  const { stands: _, ...anywhere } = answer
  await stage.open({
    name: 'ramp',
    source: 'statements',
    speaker: rail,
    profile: {},
  })
  await stage.openPier(
    { speaker: rail, profile: { ...anywhere, scacs: ['BNSF'] } },
    {},
    { path: '/{secret:apiKey}/{numbers}' },
  )
  await stage.track(bill)
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  await stage.send('ramp', { container: box, says: 'pod_rail_carrier', value: 'BNSF' })
  await stage.drain()
  assert.deepEqual(stage.questions(), [`/${key}/${box}`])
  stage.says({ nbr: box, railLfd: '2026-02-11' })
  await stage.pass(5)
  assert.equal(await stage.projection('freeTime.rail.on'), '2026-02-11')
})

test('another account neither polls through the facility nor gets its answers', async (t) => {
  const stage = await openPier(t)
  const stranger = await stage.newAccount()
  await stage.openPier()
  stage.says({ nbr: box, spot: 'A' })
  await stage.track(bill, { as: stranger })
  await stage.drain()
  assert.deepEqual(stage.questions(), [])
  await stage.track(bill)
  await stage.drain()
  assert.equal(stage.questions().length, 1)
  const spots = await stage.rows<{ spot: string | null }>(
    `select projection ->> 'yardLocation' as spot from containers order by account_id = $1`,
    [stage.account.account.id],
  )
  assert.deepEqual(spots, [{ spot: null }, { spot: 'A' }])
})

test('refuses a facility without a location and a facility for the whole installation', async (t) => {
  const stage = await openPier(t)
  await assert.rejects(stage.openPier({}, { stands: [] }), {
    code: 'invalid',
    source: { pointer: '/profile/stands' },
  })
  await assert.rejects(stage.openPier({ account: null }), {
    code: 'invalid',
    source: { pointer: '/asking/profile' },
  })
})
