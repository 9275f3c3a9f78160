// From start to end: an e-mail over real SMTP, with a bill as PDF and a photo of an arrival notice, becomes two
// documents. They are read, linked and used for the journey, and a webhook gets the events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import sharp from 'sharp'
import { openMailIn } from '../../src/mail-in/open-mail-in.ts'
import { createMailbox } from '../../src/modules/email-submissions/mailboxes.ts'
import { renderPages } from '../../tools/document-corpus/render-page.ts'
import { openTestApi, type WireResource } from '../support/api.ts'
import { openNameServer } from '../support/name-server.ts'
import { pdfOf } from '../support/papers.ts'
import { seededAt, seedShipment } from '../support/seed.ts'
import { domain } from './mail-in-harness.ts'

const bill = 'CNSH40000001'
const bills = {
  title: 'BILL OF LADING',
  lines: [
    ['B/L No', bill],
    ['Shipper', 'Calder Mills Ltd'],
    ['Vessel', 'EXAMPLE STAR'],
    ['Container no', 'MSCU4000005'],
  ],
} as const
const notice = {
  title: 'ARRIVAL NOTICE',
  lines: [
    ['Bill of lading no', bill],
    ['Container no', 'MSCU4000005'],
    ['Port of discharge', 'LOS ANGELES, CA'],
    ['Last free day', '09 APR 2026'],
  ],
} as const

test('an e-mail with a PDF bill and a photo of a notice gives two documents linked to the shipment', async (t) => {
  const names = await openNameServer()
  t.after(() => names.close())
  const env = { LANDFALL_MAIL_IN_DNS: names.address, LANDFALL_MAIL_IN_DOMAIN: domain }
  const api = await openTestApi({ startAt: seededAt, env })
  t.after(() => api.close())
  const seeded = await seedShipment(api, { bill })
  t.after(() => seeded.carrier.close())
  const mailIn = await openMailIn(api.service, { host: '127.0.0.1', port: 0, domain })
  t.after(() => mailIn.close())
  const attributes = { url: `${seeded.carrier.url}/hook`, active: true, events: ['document.extracted'] }
  await api.call({ method: 'POST', url: '/v2/webhooks', body: { data: { type: 'webhook', attributes } } })

  const { address } = await createMailbox(api.service, api.context)
  const [page] = await renderPages(await pdfOf(notice), 200)
  const photo = await sharp(page).rotate(90).jpeg({ quality: 80 }).toBuffer()
  const transport = createTransport({
    host: '127.0.0.1',
    port: mailIn.port,
    ignoreTLS: true,
    name: 'mx.sender.example',
  })
  t.after(() => transport.close())
  await transport.sendMail({
    from: 'ops@sender.example',
    to: address,
    subject: 'Your shipment',
    text: 'Please find the papers attached.',
    attachments: [
      { filename: 'bill.pdf', content: await pdfOf(bills) },
      { filename: 'IMG_0001.jpg', content: photo },
    ],
  })
  await api.drain()

  const mails = await api.call({
    url: '/v2/email_submissions?include=documents.last_document_representation',
  })
  assert.deepEqual((mails.body.included ?? []).map(({ type }) => type).sort(), [
    'document',
    'document',
    'document_representation',
    'document_representation',
  ])

  const answer = await api.call({
    url: '/v2/documents?sort=document_type&include=last_document_representation',
  })
  const papers = answer.many()
  assert.deepEqual(
    papers.map(({ attributes: of }) => of['document_type']),
    ['arrival_notice', 'bill_of_lading'],
  )
  const linked = (paper: WireResource) =>
    ((paper.relationships?.['shipments']?.data ?? []) as { readonly id: string }[]).map(({ id }) => id)
  assert.deepEqual(papers.map(linked), [[seeded.shipmentId], [seeded.shipmentId]])
  const payloads = (answer.body.included ?? []).map(({ attributes: of }) => of['payload'] as Record<string, unknown>)
  assert.ok(payloads.every((payload) => payload['bill_of_lading_number'] === bill))
  assert.ok(payloads.some((payload) => payload['last_free_day'] === '2026-04-09'))
  assert.ok(
    payloads.some(
      (payload) => payload['shipper_name'] === 'Calder Mills Ltd' && payload['vessel_name'] === 'EXAMPLE STAR',
    ),
  )

  const container = (await api.call({ url: `/v2/containers/${seeded.containerIds[0]}?provenance=true` })).one()
  const { meta } = container as unknown as {
    meta: { provenance: Record<string, { said: { document?: { id: string; page: number } } }> }
  }
  const { document } = meta.provenance['import_deadlines.pickup_lfd_line']?.said ?? {}
  assert.deepEqual([document?.id, document?.page], [papers[0]?.id, 1])
  const notifications = (await api.call({ url: '/v2/webhook_notifications?filter[event]=document.extracted' })).many()
  assert.equal(notifications.length, 2)
})
