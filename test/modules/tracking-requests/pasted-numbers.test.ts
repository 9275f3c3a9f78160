// Numbers as people paste them, over the API and MCP: those that are understood are tracked and found; for the others
// the answer asks back in words.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'

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

test('recognises an air waybill and states this, and predicts no line for it', async () => {
  const verdict = await validationOf('020-12345675')
  assert.deepEqual([verdict.is_valid, verdict.parsed_number, verdict.decision], [false, null, 'no_prediction'])
  assert.match(verdict.reason ?? '', /^This looks like an air waybill \(020-12345675\), not an ocean number\./)
})

test('suggests corrections for a letter in place of a digit, and never selects one by itself', async () => {
  const verdict = await validationOf('MSKU123456S')
  assert.deepEqual([verdict.is_valid, verdict.parsed_number, verdict.decision], [false, null, 'needs_confirmation'])
  assert.match(verdict.reason ?? '', /Did you mean MSKU1234565\?$/)
  const unsure = await validationOf('MSKU12345O5')
  assert.deepEqual([unsure.parsed_number, unsure.decision], [null, 'no_prediction'])
  assert.match(unsure.reason ?? '', /Check it\.$/)
})

test('refuses a number that a spreadsheet has changed, and suggests the original number', async () => {
  for (const [number, words] of [
    ['263123456.0', /Did you mean 263123456\?$/],
    ['94405335,0', /Did you mean 94405335\?$/],
    ['Booking 6123456789.00', /Did you mean 6123456789\?$/],
    ['2,63123E+08', /a spreadsheet has rounded it.*Check it\.$/],
  ] as const) {
    const inferred = detailOf(await infer(number))
    assert.match(inferred.detail, /^This reference number is not valid\. /)
    assert.match(inferred.detail, words)
    assert.equal(inferred.pointer, '/number')
    for (const line of [{ scac: 'MAEU', request_type: 'bill_of_lading' }, { auto_detect_vocc_scac: true }]) {
      const asked = detailOf(await track({ request_number: number, ...line }))
      assert.match(asked.detail, words)
      assert.equal(asked.pointer, '/data/attributes/request_number')
    }
  }
  // With its mark removed, 263123457.1 would be this number.
  const { status } = await track({
    request_type: 'bill_of_lading',
    request_number: '2631234571',
    scac: 'MAEU',
  })
  assert.equal(status, 201)
  const found = async (query: string) =>
    ((await api.call({ url: `/v2/search?query=${query}` })).body.data as unknown[]).length
  assert.deepEqual([await found('2631234571'), await found('263123458.1')], [1, 0])
  assert.equal(await found('2631234571.0'), 1)
})

test('asks to confirm an unknown owner code, unless the named line writes its bills this way', async () => {
  const verdict = await validationOf('MSUK1234565')
  assert.deepEqual([verdict.is_valid, verdict.parsed_number, verdict.decision], [false, null, 'needs_confirmation'])
  assert.match(verdict.reason ?? '', /there is no such owner code as MSUK\. Did you mean MSKU1234565\?$/)
  const unknown = await track({ request_number: 'QQQU0000002', auto_detect_vocc_scac: true })
  assert.match(detailOf(unknown).detail, /check digit is wrong.*there is no such owner code as QQQU\.$/)
  const asBox = await track({ request_type: 'container', request_number: 'MSUK1234565', scac: 'HDMU' })
  assert.match(detailOf(asBox).detail, /Did you mean MSKU1234565\?$/)
  const asBill = await track({ request_type: 'bill_of_lading', request_number: 'MSUK1234565', scac: 'HDMU' })
  assert.equal(asBill.error().code, 'carrier_not_configured')
})

test('recognises an ILU code, and selects no line for it', async () => {
  for (const number of ['HUPA1234565', 'TRLD0047112']) {
    const verdict = await validationOf(number)
    assert.match(verdict.reason ?? '', /ILU code \(EN 13044\)/)
    assert.deepEqual([verdict.is_valid, verdict.decision === 'auto_select'], [null, false])
  }
})

test('drops invisible characters before counting the length; they hide no wrong check digit', async () => {
  const unseen = '\u00ad\u202a\u2066\ufe0f'.repeat(15)
  const wrong = await validationOf(`MSKU123456${unseen.slice(0, 40)}7`)
  assert.deepEqual([wrong.is_valid, wrong.parsed_number], [false, 'MSKU1234567'])
  const sent = { request_type: 'bill_of_lading', scac: 'MAEU', request_number: `${unseen}26312${unseen}3459` }
  const { status, body } = await track(sent)
  assert.equal(status, 201)
  assert.equal((body.data as { attributes: Record<string, unknown> }).attributes['request_number'], '263123459')
  const list = async (query: string) => (await api.call({ url: `/v2/tracking_requests?${query}` })).many().length
  const number = encodeURIComponent(`26312\u00ad${unseen}3459`)
  assert.deepEqual(await Promise.all([list(`filter[request_number]=${number}`), list(`q=${number}`)]), [1, 1])
})

test('blanks and hyphens in list filters are treated as in the search', async () => {
  const sent = { request_type: 'bill_of_lading', request_number: 'MAEU 263-123-460', scac: 'MAEU' }
  assert.equal((await track(sent)).status, 201)
  for (const written of ['maeu263123460', 'MAEU 263123460', 'MAEU-263 123.460', 'MAEU\u2013263123460']) {
    const number = encodeURIComponent(written)
    for (const query of [
      `filter[request_number]=${number}`,
      `q=${number}`,
      `q=${encodeURIComponent(written.slice(2))}`,
    ]) {
      const rows = (await api.call({ url: `/v2/tracking_requests?${query}` })).many()
      assert.equal(rows.length, 1, query)
    }
  }
  assert.equal((await api.call({ url: '/v2/tracking_requests?q=-' })).many().length, 0)
})

test('finds a line by its common names and codes, and the answer states how it was understood', async () => {
  let number = 263_200_000
  const ask = (scac: string) => {
    number += 1
    return track({ request_type: 'bill_of_lading', request_number: String(number), scac })
  }
  for (const scac of ['SUDU', 'Maersk Line', 'Hamburg Süd']) {
    const { status, body } = await ask(scac)
    assert.equal(status, 201, scac)
    assert.equal((body.data as { attributes: Record<string, unknown> }).attributes['scac'], 'MAEU')
    assert.deepEqual(body.meta, { scac_note: `${scac} is taken as Maersk (MAEU).` })
  }
  assert.equal((await ask('maeu')).body.meta, undefined)
  const { detail, pointer } = detailOf(await ask('Sealand'))
  assert.match(detail, /Sealand Americas \(SEAU\) or Sealand Europe \(SEJJ\)/)
  assert.equal(pointer, '/data/attributes/scac')
  assert.match(detailOf(await ask('UASU')).detail, /^HLCU is a supported line/)
  const listed = (await api.call({ url: '/v2/tracking_requests?filter[scac]=Hamburg%20Sud' })).many()
  assert.ok(listed.length >= 3)
  assert.equal((await api.call({ url: '/v2/tracking_requests?filter[scac]=Sealand' })).status, 422)
  assert.equal((await api.call({ url: '/v2/shipping_lines?search=NYKS' })).many()[0]?.attributes['scac'], 'ONEY')
})

test('does not treat a number that is marked as a house bill as a number of a line', async () => {
  assert.match((await validationOf('HBL ABCD1234567')).reason ?? '', /house bill.*master bill of lading/)
})

test('a container number is recognised with other words around it', async () => {
  const verdict = await validationOf('Container MSKU1234565')
  assert.deepEqual([verdict.is_valid, verdict.parsed_number, verdict.decision], [true, 'MSKU1234565', 'auto_select'])
})

test('refuses several numbers in one text, naming them', async () => {
  const { detail, pointer } = detailOf(await infer('MSKU1234565 TCNU7214801'))
  assert.match(detail, /^This reference number is not valid: .*\(MSKU1234565, TCNU7214801\)\. Send one of them\.$/)
  assert.equal(pointer, '/number')
})

test('tracks a number without the words around it, so a second paste is a duplicate', async () => {
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

test('refuses a request for an impossible number at once, with its field and the remedy', async () => {
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

test('accepts any number for a named line, which decides about its own numbers', async () => {
  const { status } = await track({
    request_type: 'booking_number',
    request_number: '2026-01-15',
    scac: 'MAEU',
  })
  assert.equal(status, 201)
})
