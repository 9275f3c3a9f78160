/**
 * Terminals and railways with the descriptions that Landfall contains, polled by the running service. If an answer
 * cannot be used, the operator is warned, nothing of it is believed, and the next good answer is used. The queue has a
 * separate test.
 */

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findBuiltInDescription, mergeOverrides } from '../../../src/connectors/terminal-api/description.ts'
import { listPollStates } from '../../../src/modules/channels/poll-config.ts'
import { startLine } from '../../connectors/line-server.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const stranger = 'CSQU3054383'

interface Shipped {
  readonly name: string
  readonly speaker: { readonly kind: 'terminal' | 'rail'; readonly code: string }
  /** Its answer about a container, in the form of its description. */
  readonly about: (number: string) => unknown
  /** Member of the projection that shows that the answer was used. */
  readonly tells: string
  /** The values that an operator sets; the address is that of the test. */
  readonly answer?: Readonly<Record<string, unknown>>
  readonly asking?: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
}

const client = { clientId: 'c-1', clientSecret: 's3cret' }
const here = (code?: string) => [{ port: 'USLAX', ...(code !== undefined && { code }) }]

const shipped: readonly Shipped[] = [
  {
    name: 'lbct',
    speaker: { kind: 'terminal', code: 'WAC8' },
    about: (number) => ({
      payload: { containers: [{ id: number, category: 'IMPRT', 'last-free-day': '2026-02-07' }] },
    }),
    tells: 'freeTime.terminal',
    answer: { stands: here() },
    secrets: { apiKey: 's3cret' },
  },
  {
    name: 'port-houston',
    speaker: { kind: 'terminal', code: 'POHA' },
    about: (number) => ({
      data: [{ unitId: number, category: 'IMPRT', lastFreeDay: '2026-02-07 23:59:00' }],
    }),
    tells: 'freeTime.terminal',
    answer: { stands: here('BCT') },
    secrets: client,
  },
  {
    name: 'apmt',
    speaker: { kind: 'terminal', code: 'APMT' },
    about: (number) => [
      {
        containerId: number,
        eventDetails: [{ eventType: 'OUT', performedDateTimeLocal: '2026-01-30T10:00:00' }],
      },
    ],
    tells: 'status',
    answer: {
      stands: here('USLAX'),
      events: [
        {
          list: '/eventDetails/*',
          code: '/eventType',
          codes: { OUT: 'GTOT LADEN' },
          time: { at: '/performedDateTimeLocal' },
        },
      ],
    },
    secrets: client,
  },
  {
    name: 'ports-america',
    speaker: { kind: 'terminal', code: 'PAMC' },
    about: (number) => [{ id: number, spot: 'A 12' }],
    tells: 'yardLocation',
    answer: {
      stands: here('WBCT'),
      boxes: '/*',
      number: '/id',
      facts: { yard_location: { at: '/spot' } },
    },
    secrets: client,
  },
  {
    name: 'bnsf',
    speaker: { kind: 'rail', code: 'BNSF' },
    about: (number) => ({
      intermodalUnits: [
        {
          equipmentInitial: number.slice(0, 4),
          equipmentNumber: number.slice(4, 10),
          shipmentLastFreeStorageDate: '2026-02-08',
        },
      ],
    }),
    tells: 'freeTime.rail',
    // The certificate is shown in `test/connectors/terminal-api/facility-poller.test.ts`.
    asking: { auth: { certificate: false, keyHeaders: { 'X-Key': 'apiKey' } } },
    secrets: { apiKey: 's3cret' },
  },
  {
    name: 'maher',
    speaker: { kind: 'terminal', code: 'E416' },
    about: (number) => ({ MaherApiInquiryService: { Container: number, ComplexPosition: 'A 12' } }),
    tells: 'yardLocation',
    answer: { stands: here() },
    secrets: { sid: 'me', authorization: 's3cret' },
  },
  {
    name: 'up',
    speaker: { kind: 'rail', code: 'UPRR' },
    about: (number) => [{ load: { equipment: { id: number.slice(0, 10) }, yard_block: 'B 4' } }],
    tells: 'yardLocation',
    secrets: client,
  },
  {
    name: 'cn',
    speaker: { kind: 'rail', code: 'CNRU' },
    about: (number) => ({
      ThirdPartyIntermodalShipment: {
        Equipment: [{ EquipmentId: number.slice(0, 10), StorageCharge: { LastFreeDay: '2026-02-09' } }],
      },
    }),
    tells: 'freeTime.rail',
    secrets: client,
  },
]

interface Fault {
  readonly what: string
  readonly status: number
  readonly body: (of: Shipped) => string
  readonly says: RegExp | null
}

const faults: readonly Fault[] = [
  { what: 'too many questions', status: 429, body: () => '', says: /it answered 429/ },
  { what: 'an access that is not accepted', status: 401, body: () => '{}', says: /it answered 401/ },
  { what: 'a page for people', status: 200, body: () => '<html>Sign in</html>', says: /not_json/ },
  {
    what: 'an answer that breaks off at once',
    status: 200,
    body: ({ about }) => JSON.stringify(about(box)).slice(0, 12),
    says: /truncated_body|not_json/,
  },
  {
    what: "another box's data",
    status: 200,
    body: ({ about }) => JSON.stringify(about(stranger)),
    says: null,
  },
]

async function openFacility(t: TestContext, of: Shipped) {
  const stage = await openIntake(t)
  let now = { status: 200, body: '' }
  const server = await startLine(({ url }, response) => {
    const isToken = url.pathname.endsWith('/token')
    const { status, body } = isToken ? { status: 200, body: '{"access_token":"T","token":"T"}' } : now
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  t.after(() => server.close())
  const description = findBuiltInDescription(of.name)
  assert.ok(description)
  const oauth = of.secrets === client ? { auth: { oauth: { tokenUrl: `${server.base}/token` } } } : {}
  // The second question after a refused token is not to wait for its turn: that wait is real.
  const address = { base: server.base, rate: { perMinute: 1_000 }, ...oauth }
  stage.carrier.answers({ json: journey(bill, 'discharged') }, bill)
  await stage.open({ name: 'hand', source: 'statements', profile: {}, speaker: of.speaker })
  await stage.open({
    name: 'facility',
    source: 'facility',
    speaker: of.speaker,
    profile: mergeOverrides(description.answer ?? {}, of.answer ?? {}),
    pollConfig: {
      profile: mergeOverrides(mergeOverrides(description.asking ?? {}, of.asking ?? {}), address),
      secrets: of.secrets,
    },
  })
  return {
    ...stage,
    answers: (status: number, body: string) => {
      now = { status, body }
    },
    trouble: async () => {
      const { id } = await stage.row<{ id: string }>(`select id from channels where name = 'facility'`)
      return (await listPollStates(stage.service)).get(id)?.trouble ?? null
    },
    told: async () =>
      (
        await stage.row<{ value: unknown }>(
          'select projection #> $1::text[] as value from containers where number = $2',
          [of.tells.split('.'), box],
        )
      ).value,
  }
}

for (const of of shipped) {
  test(`${of.name}: reports its faults to the operator, changes no container, and uses the next answer`, async (t) => {
    const stage = await openFacility(t, of)
    stage.answers(503, '')
    await stage.track(bill)
    await stage.drain()
    if (of.speaker.kind === 'rail') {
      await stage.send('hand', { container: box, says: 'pod_rail_carrier', value: of.speaker.code })
      await stage.drain()
    }
    assert.match((await stage.trouble()) ?? '', /it answered 503/)
    const before = await stage.told()
    for (const { what, status, body, says } of faults) {
      stage.answers(status, body(of))
      await stage.pass(24)
      const trouble = await stage.trouble()
      if (says === null) assert.equal(trouble, null, what)
      else assert.match(trouble ?? '', says, what)
      assert.deepEqual(await stage.told(), before, what)
      assert.ok(!JSON.stringify(stage.logged()).includes('s3cret'))
    }
    stage.answers(200, JSON.stringify(of.about(box)))
    await stage.pass(24)
    assert.equal(await stage.trouble(), null)
    assert.notDeepEqual(await stage.told(), before)
  })
}
