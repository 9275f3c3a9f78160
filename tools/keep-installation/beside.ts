/**
 * What people keep beside the journeys: saved views, notes, share links, alert rules, terms of charges and
 * senders of e-mail.
 */

import { type Customer, list, send } from './customer.ts'

export async function keepBeside(customer: Customer): Promise<void> {
  const make = (type: string, path: string, attributes: object, relationships?: object) =>
    send(customer, 'POST', path, { type, attributes, ...(relationships && { relationships }) })
  const [shipment] = await list(customer, '/v2/shipments')
  if (shipment === undefined) throw new Error('There is no shipment about which anything could be kept.')
  const about = { shipment: { data: { type: 'shipment', id: shipment.id } } }
  await make('saved_view', '/v2/saved_views', {
    name: 'On the way <é>',
    table: 'shipments',
    query: { 'filter[status]': 'in_transit', sort: '-created_at' },
    columns: ['bill_of_lading_number'],
    is_shared: true,
  })
  await make('note', `/v2/shipments/${shipment.id}/notes`, { text: 'Ask the "broker" für Freigabe' })
  await make('share_link', '/v2/share_links', { name: 'For the consignee' }, about)
  const rule = { reasons: ['held', 'eta_moved'], webhook: { url: 'http://127.0.0.1:9/alerts' } }
  await make('alert_rule', '/v2/alert_rules', { name: 'Holds', ...rule, shipments: { tags: ['round-0'] } })
  await make('calendar', '/v2/calendars', {
    code: 'us-lax',
    zone: 'America/Los_Angeles',
    weekend: ['sat', 'sun'],
  })
  await make('charge_terms', '/v2/charge_terms', {
    code: 'contract',
    origin: 'contract',
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'USD',
    ...{
      start: 'vessel_discharged',
      stop: ['full_out'],
      free: 4,
      free_unit: 'calendar_days',
    },
    tiers: [
      {
        from: 1,
        to: null,
        rate_minor: 15e3,
      },
    ],
  })
  await make('mailbox_sender', '/v2/mailbox_senders', { sender: '@forwarder.example' })
}
