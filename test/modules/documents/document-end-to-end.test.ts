// One document from start to end, with the real readers: a PDF goes in; its kind, fields, shipment and events come out.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { drawPaper } from '../../../tools/document-corpus/draw.ts'
import { layouts } from '../../../tools/document-corpus/layouts.ts'
import { inventTruth } from '../../../tools/document-corpus/truth.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { handIn } from '../../support/hand-in.ts'
import { pdfOf } from '../../support/papers.ts'
import { seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
before(async () => {
  api = await openTestApi({ startAt: seededAt })
})
after(() => api.close())

test('reads a submitted arrival notice as PDF, finds its numbers and links it to its shipment', async () => {
  const layout = layouts.find(({ type }) => type === 'arrival_notice')
  assert.ok(layout)
  const truth = inventTruth(7)
  const { pdf, fields } = await drawPaper(layout, truth)
  const { carrier, shipmentId } = await seedShipment(api, { bill: String(fields['bill_of_lading_number']) })
  const id = await handIn(api, api.key, Buffer.from(pdf))
  await api.drain()
  await carrier.close()
  const url = `/v2/documents/${id}?include=last_document_representation,shipments`
  const { body } = await api.call({ url })
  const { attributes, relationships } = body.data as {
    attributes: Record<string, unknown>
    relationships: Record<string, { data: unknown }>
  }
  assert.equal(attributes['document_type'], 'arrival_notice')
  assert.deepEqual(relationships['shipments']?.data, [{ type: 'shipment', id: shipmentId }])
  const representation = body.included?.find(({ type }) => type === 'document_representation')
  const payload = representation?.attributes['payload'] as Record<string, unknown>
  assert.equal(payload['bill_of_lading_number'], fields['bill_of_lading_number'])
  const found = await api.call({ url: `/v2/documents?filter[reference]=${fields['bill_of_lading_number']}` })
  assert.deepEqual(
    found.many().map((each) => each.id),
    [id],
  )
  const { rows } = await api.service.pool.query(`select name from events where reference_id = $1`, [id])
  assert.deepEqual(rows, [{ name: 'document.extracted' }])
})

test('marks a damaged or unsupported file as failed, with the reason', async () => {
  for (const [bytes, reason] of [
    [Buffer.from('%PDF-1.7 and nothing more'), 'damaged'],
    [Buffer.from('PK\u0003\u0004 a zip with the name of a PDF'), 'unsupported_type'],
  ] as const) {
    const id = await handIn(api, api.key, bytes)
    await api.drain()
    const document = (await api.call({ url: `/v2/documents/${id}` })).one()
    const { meta } = document as unknown as { meta: { state: string; failure: { reason: string } } }
    assert.deepEqual([meta.state, meta.failure.reason], ['failed', reason])
  }
})

test('a file with two documents stays one document, which has no segment of pages and no parent', async () => {
  const packet = await pdfOf({
    title: 'BILL OF LADING',
    lines: [['B/L No', 'CNSH40000077']],
    also: (file) => {
      file.addPage().font('Helvetica-Bold').fontSize(18).text('COMMERCIAL INVOICE', 50, 50)
      file.font('Helvetica').fontSize(11).text('Invoice no: INV-4711', 50, 100)
    },
  })
  const before = (await api.call({ url: '/v2/documents' })).many().length
  const id = await handIn(api, api.key, packet)
  await api.drain()
  assert.equal((await api.call({ url: '/v2/documents' })).many().length, before + 1)
  const { body } = await api.call({ url: `/v2/documents/${id}?include=parent_document` })
  const { attributes, relationships, meta } = body.data as {
    attributes: Record<string, unknown>
    relationships: Record<string, { data: unknown }>
    meta: Record<string, unknown>
  }
  assert.deepEqual([meta['state'], meta['page_count']], ['read', 2])
  assert.deepEqual(
    [attributes['parsed'], relationships['parent_document']?.data, body.included ?? []],
    [null, null, []],
  )
})
