// Numbers as people paste them, over the API and MCP: those that are understood are tracked and found; for the others
// the answer asks back in words.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCarrier } from '../support/carrier.ts'
import { giveAccess } from '../support/service.ts'

let api: TestApi

before(async () => {
  api = await openTestApi({ startAt: '2026-02-01T00:00:00Z' })
  const carrier = await openCarrier()
  after(() => carrier.close())
  await giveAccess(api, { scac: 'MAEU', profile: carrier.profile('MAEU') })
})

after(() => api.close())

const infer = (number: string) =>
  api.call({ method: 'POST', url: '/v2/tracking_requests/infer_number', body: { number } })

const track = (attributes: object) =>
  api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: { type: 'tracking_request', attributes } },
  })

interface Validation {
  readonly is_valid: boolean | null
  readonly parsed_number: string | null
  readonly reason: string | null
}

async function validationOf(number: string): Promise<Validation & { readonly decision: string }> {
  const { status, body } = await infer(number)
  assert.equal(status, 200, number)
  const { attributes } = body.data as {
    attributes: { validation: Validation; shipping_line: { decision: string } }
  }
  return { ...attributes.validation, decision: attributes.shipping_line.decision }
}

function detailOf(answer: Awaited<ReturnType<typeof track>>): { detail: string; pointer: unknown } {
  assert.equal(answer.status, 422)
  const { detail, source } = answer.error()
  return { detail, pointer: source?.pointer }
}

test('an air waybill is named as one, in words, and no line is predicted for it', async () => {
  const said = await validationOf('020-12345675')
  assert.deepEqual([said.is_valid, said.parsed_number, said.decision], [false, null, 'no_prediction'])
  assert.match(said.reason ?? '', /^This looks like an air waybill \(020-12345675\), not an ocean number\./)
})

test('a letter in place of a digit is asked back with what may be meant, and never selected alone', async () => {
  const said = await validationOf('MSKU123456S')
  assert.deepEqual([said.is_valid, said.parsed_number, said.decision], [false, null, 'needs_confirmation'])
  assert.match(said.reason ?? '', /Did you mean MSKU1234565\?$/)
  const unsure = await validationOf('MSKU12345O5')
  assert.deepEqual([unsure.parsed_number, unsure.decision], [null, 'no_prediction'])
  assert.match(unsure.reason ?? '', /Look at it again\.$/)
})

test('a house bill that is said to be one is no number of a line', async () => {
  assert.match((await validationOf('HBL ABCD1234567')).reason ?? '', /house bill.*master bill of lading/)
})

test('the words around a number are no part of it', async () => {
  const said = await validationOf('Container MSKU1234565')
  assert.deepEqual([said.is_valid, said.parsed_number, said.decision], [true, 'MSKU1234565', 'auto_select'])
})

test('several numbers in one text are refused by name', async () => {
  const { detail, pointer } = detailOf(await infer('MSKU1234565 TCNU7214801'))
  assert.match(
    detail,
    /^This reference number is not valid: .*\(MSKU1234565, TCNU7214801\)\. Send one of them\.$/,
  )
  assert.equal(pointer, '/number')
})

test('what is tracked is the number, so it is found by it, and a second paste of it is a duplicate', async () => {
  const sent = { request_type: 'bill_of_lading', request_number: 'B/L no. MAEU 123456789', scac: 'MAEU' }
  const { status, body } = await track(sent)
  assert.equal(status, 201)
  const { attributes } = body.data as { attributes: { request_number: string } }
  assert.equal(attributes.request_number, 'MAEU123456789')
  const again = await track({ ...sent, request_number: 'MBL: MAEU123456789' })
  assert.match(detailOf(again).detail, /being tracked already/)
  const found = await api.call({ url: '/v2/search?query=Bill%20of%20lading%20MAEU123456789' })
  assert.equal((found.body.data as unknown[]).length, 1)
})

test('a request for what no line can know is refused at once, with its field and what to do', async () => {
  for (const [number, words] of [
    ['MSKU123456S', /Did you mean MSKU1234565\?/],
    ['MSKU1234565 TCNU7214801', /Send one of them/],
    ['PO 4500012345', /a purchase order \(4500012345\)/],
    ['2026-01-15', /a date \(2026-01-15\)/],
  ] as const) {
    const { detail, pointer } = detailOf(await track({ request_number: number, auto_detect_vocc_scac: true }))
    assert.match(detail, words)
    assert.equal(pointer, '/data/attributes/request_number')
  }
})

test('a line that is named is the judge of its own numbers', async () => {
  const { status } = await track({
    request_type: 'booking_number',
    request_number: '2026-01-15',
    scac: 'MAEU',
  })
  assert.equal(status, 201)
})
