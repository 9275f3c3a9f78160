// EDI output: a webhook that is sent each move as one interchange, X12 315 or IFTSTA. Third-party parsers read it back,
// and our own readers read the same journey.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import EdifactParser from 'edifact/parser.js'
import { X12Parser } from 'node-x12'
import { writeIftsta } from '../../src/api/messages/iftsta.ts'
import { write315 } from '../../src/api/messages/x12-315.ts'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { createChannel } from '../../src/modules/channels/channels.ts'
import type { Move } from '../../src/modules/transport-events/moves-sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

interface Delivered {
  readonly path: string
  readonly contentType: string
  readonly signature: string
  readonly body: Buffer
}

let api: TestApi
let seeded: Seeded
let url: string
const delivered: Delivered[] = []
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    delivered.push({
      path: request.url ?? '',
      contentType: String(request.headers['content-type']),
      signature: String(request.headers['webhook-signature']),
      body: Buffer.concat(chunks),
    })
    response.end()
  })
})
const ids = { sender: 'LANDFALL', receiver: 'SHIPPER', receiver_qualifier: '12' }

before(async () => {
  api = await openTestApi({ startAt: seededAt, render: openRenderer })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  for (const format of ['x12_315', 'iftsta']) {
    const made = await make({ url: `${url}/${format}`, format, edi_ids: { ...ids, is_test: true } })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.one().attributes['format'], format)
  }
  seeded = await seedShipment(api)
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await seeded.carrier.close()
  await api.close()
})

const make = (attributes: object) =>
  api.call({ method: 'POST', url: '/v2/webhooks', body: { data: { type: 'webhook', attributes } } })
const sentTo = (format: string): readonly Delivered[] => delivered.filter(({ path }) => path === `/${format}`)

test('an EDI webhook must name both partners and may subscribe only to events that its format can express', async () => {
  const refused = [
    [{ url, format: 'x12_315' }, '/data/attributes/edi_ids'],
    [{ url, edi_ids: ids }, '/data/attributes/edi_ids'],
    [{ url, format: 'dcsa_2', edi_ids: ids }, '/data/attributes/format'],
    [{ url, format: 'iftsta', edi_ids: { ...ids, sender: 'A*B' } }, '/data/attributes/edi_ids/sender'],
    [{ url, format: 'iftsta', edi_ids: ids, events: ['container.transport.available'] }, '/data/attributes/events/0'],
  ] as const
  for (const [attributes, pointer] of refused) {
    const answer = await make(attributes)
    assert.deepEqual([answer.status, answer.error().source?.pointer], [422, pointer], answer.text)
  }
})

test('each move is one X12 interchange that a third-party parser accepts', () => {
  const sent = sentTo('x12_315')
  assert.ok(sent.length >= 22)
  const controls = new Set<string>()
  for (const { body, contentType, signature } of sent) {
    assert.equal(contentType, 'application/edi-x12')
    assert.match(signature, /^v1,/)
    const interchange = new X12Parser(true).parse(body.toString().replaceAll('\n', ''))
    assert.ok('functionalGroups' in interchange)
    const header = interchange.header.elements.map(({ value }) => value)
    assert.deepEqual(
      [header[4], header[5]?.trim(), header[6], header[7]?.trim(), header[14]],
      ['ZZ', 'LANDFALL', '12', 'SHIPPER', 'T'],
    )
    controls.add(header[12] ?? '')
    const [message] = interchange.functionalGroups[0]?.transactions ?? []
    const tags = message?.segments.map(({ tag }) => tag) ?? []
    assert.equal(tags[0], 'B4')
    assert.ok(tags.includes('R4') && tags.includes('DTM') && tags.includes('N9'))
  }
  assert.equal(controls.size, sent.length)
  const arrival = sent.map(({ body }) => body.toString()).find((text) => text.includes('B4***VA*20260201*193000'))
  assert.match(arrival ?? '', /\nB4\*\*\*VA\*20260201\*193000\*\*MSCU\*400000\*{5}5~\nN9\*BM\*CNSH12345678~\n/)
  assert.match(arrival ?? '', /\nQ2\*9321483\*{8}601E\*\*\*L\*EMMA MAERSK~\n/)
  assert.match(arrival ?? '', /\nR4\*5\*UN\*USLAX\*[^*]+\*US~\nDTM\*140\*20260201\*193000\*UT~\n/)
})

/** With the tokenizer of a package. The reader of that package refuses vessel segments without optional elements. */
function parse(text: string): readonly { readonly name: string; readonly texts: string[] }[] {
  const segments: { name: string; texts: string[] }[] = []
  const parser = new EdifactParser()
  parser.onopensegment = (name) => void segments.push({ name, texts: [] })
  parser.oncomponent = (each) => void segments.at(-1)?.texts.push(each)
  parser.encoding('UNOC')
  parser.write(text)
  parser.end()
  return segments
}

test('a name that is too long for its element is omitted, and accents are removed', () => {
  const ids2 = { sender: 'A', receiver: 'B', senderQualifier: null, receiverQualifier: null, isTest: false }
  const place = {
    unlocode: 'BRSSZ',
    terminalId: null,
    facilityCode: null,
    facilityType: null,
    timeZone: null,
  }
  const move = (name: string): Move => ({
    id: '00000000-0000-4000-8000-000000000000',
    shipmentId: 's',
    containerId: 'c',
    event: 'container.transport.vessel_arrived',
    milestone: {
      kind: 'actual',
      name: 'vessel_arrived',
      callKey: 'BRSSZ#1',
      time: { kind: 'day', on: '2026-02-01' },
      place: { ...place, name },
      vessel: { imo: null, name: 'A name of a ship that is longer than any element for it' },
      voyage: '601E',
      source: 'shipping_line',
      claimId: 'k',
    },
    createdAt: '2026-02-02T00:00:00.000Z',
    invalidatedAt: null,
    number: 'MSCU4000005',
    scac: 'ONEY',
    pol: null,
    pod: null,
    billOfLadingNumber: 'B~1',
    bookingNumber: '9'.repeat(36),
    mode: 'VESSEL',
    classifier: 'ACT',
  })
  const envelope = { ids: ids2, writtenAt: '2026-02-02T00:00:00.000Z', control: 7 }
  const x12 = String(write315(move('São Sebastião'), envelope))
  assert.match(x12, /\nR4\*5\*UN\*BRSSZ\*Sao Sebastiao\*BR~\nDTM\*140\*20260201~\n/)
  assert.match(x12, /\nN9\*BM\*B 1~\nN9\*EQ\*MSCU4000005~\nQ2\*{9}601E~\n/)
  const edifact = String(writeIftsta(move('A place with a very long name'), envelope))
  assert.match(
    edifact,
    /\nRFF\+BM:B~1'\nSTS\+1\+1'\nDTM\+334:20260201:102'\nLOC\+175\+BRSSZ:139:6'\nTDT\+20\+601E\+1'\n/,
  )
})

test('each move is one EDIFACT interchange that a third-party parser accepts', () => {
  const sent = sentTo('iftsta')
  assert.ok(sent.length >= 22)
  for (const { body, contentType } of sent) {
    assert.equal(contentType, 'application/edifact')
    const segments = parse(body.toString('latin1'))
    const names = segments.map(({ name }) => name)
    assert.deepEqual([names[0], names[1], names.at(-1)], ['UNB', 'UNH', 'UNZ'])
    assert.ok(names.includes('STS') && names.includes('DTM') && names.includes('EQD'))
    assert.equal(segments.find(({ name }) => name === 'UNT')?.texts[0], String(names.length - 2))
  }
  const arrival = sent
    .map(({ body }) => body.toString())
    .find((text) => text.includes("DTM+334:20260201193000UTC:304'"))
  assert.match(arrival ?? '', /\nSTS\+1\+1'\nDTM\+334:20260201193000UTC:304'\nLOC\+175\+USLAX:139:6:/)
  assert.match(arrival ?? '', /\nTDT\+20\+601E\+1\+{5}9321483:146:11:EMMA MAERSK'\nEQD\+CN\+MSCU4000005'/)
})

for (const [format, source] of [
  ['x12_315', 'x12'],
  ['iftsta', 'edifact'],
] as const)
  test(`our own ${source} reader reads the same moves back`, async () => {
    const context = await api.newAccount()
    const { key } = await createChannel(api.service, {
      name: `partner-${source}`,
      account: { id: context.account.id, isSandbox: false },
      speaker: { kind: 'shipping_line', code: 'ONEY' },
      source,
      profile: {},
      isFirstHand: true,
      keyKind: 'bearer',
    })
    const reader = await api.newKey(context, ['read', 'write'])
    seeded.carrier.answers({ status: 404, json: {} }, seeded.bill)
    const attributes = { request_type: 'bill_of_lading', request_number: seeded.bill, scac: 'ONEY' }
    const body = { data: { type: 'tracking_request', attributes } }
    const asked = await api.call({ method: 'POST', url: '/v2/tracking_requests', key: reader, body })
    assert.equal(asked.status, 201, asked.text)
    for (const { body: bytes, contentType } of sentTo(format)) {
      const taken = await api.app.inject({
        method: 'POST',
        url: `/v2/inbound/partner-${source}`,
        payload: bytes,
        headers: { host: 'landfall.test', 'content-type': contentType, authorization: `Bearer ${key}` },
      })
      assert.equal(taken.statusCode, 202, taken.body)
    }
    await api.drain()
    const movesOf = async (accountId: string): Promise<readonly unknown[]> =>
      (
        await api.service.pool.query(
          `select c.number, t.event, t.occurs_at, t.unlocode, t.vessel_imo, t.voyage_number
             from transport_events t join containers c on c.account_id = t.account_id and c.id = t.container_id
            where t.account_id = $1 and t.invalidated_at is null and t.milestone is not null
              and t.event not like '%estimated%'
            order by c.number, t.occurs_at, t.event`,
          [accountId],
        )
      ).rows
    assert.deepEqual(await movesOf(context.account.id), await movesOf(api.context.account.id))
  })
