/**
 * What a company has beside its shipments: terms, a calendar and an audited invoice, saved views, notes, links to share,
 * rules for alerts, and a partner who sends by himself.
 */

import { type Customer, list, must, send } from './customer.ts'

/** Called before anything is tracked, so that the charges of each container are counted from the first look on. */
export async function bringTerms(customer: Customer): Promise<void> {
  await send(customer, 'POST', '/v2/calendars', {
    type: 'calendar',
    attributes: {
      code: 'workdays',
      zone: 'Europe/Berlin',
      holidays: [{ on: '2026-12-25', name: 'Christmas' }],
    },
  })
  const demurrage = {
    origin: 'contract',
    kind: 'demurrage',
    charged_by: 'line',
    currency: 'EUR',
    calendar: 'workdays',
    start: 'vessel_discharged',
    stop: ['full_out'],
    free_unit: 'working_days',
    tiers: [{ from: 1, to: null, rate_minor: 12_000 }],
    stops_for: ['hold:customs'],
    source: 'Contract 17',
  }
  for (const free of [4, 5])
    await send(customer, 'POST', '/v2/charge_terms', {
      type: 'charge_terms',
      attributes: { code: 'ours', free, ...demurrage },
    })
}

/** Called when shipments are there. */
export async function keepBelongings(customer: Customer, of: { readonly alertUrl: string }): Promise<void> {
  const [shipment, another] = await list(customer, '/v2/shipments')
  const [container] = await list(customer, '/v2/containers')
  const related = (type: string, id: string | undefined) => ({ [type]: { data: { type, id } } })
  for (const { id } of [shipment, another].flatMap((each) => each ?? []))
    await send(customer, 'POST', `/v2/shipments/${id}/notes`, {
      type: 'note',
      attributes: { text: 'Ask for <b>Mrs Möller</b> at the gate' },
    })
  const view = await send(customer, 'POST', '/v2/saved_views', {
    type: 'saved_view',
    attributes: {
      name: 'On the water',
      table: 'shipments',
      query: { 'filter[status]': 'in_transit', sort: 'pod_eta_at' },
      columns: ['bill_of_lading_number', 'pod_eta_at'],
    },
  })
  for (const relationships of [related('shipment', shipment?.id), related('saved_view', view.id)])
    await send(customer, 'POST', '/v2/share_links', {
      type: 'share_link',
      attributes: { name: 'For the consignee', company_name: 'Harbour & Söhne', color: '#0055aa' },
      relationships,
    })
  await send(customer, 'POST', '/v2/alert_rules', {
    type: 'alert_rule',
    attributes: {
      name: 'What waits',
      reasons: ['held', 'free_time_ends_soon'],
      shipments: {},
      webhook: { url: of.alertUrl, format: 'json' },
      delivery: 'daily',
      daily_hour: 8,
      time_zone: 'Europe/Berlin',
    },
  })
  await send(customer, 'POST', '/v2/invoices/audits', {
    type: 'invoice_audit',
    attributes: {
      number: 'D-17',
      kind: 'demurrage',
      charged_by: 'line',
      currency: 'EUR',
      invoiced_on: '2026-11-20',
      total_minor: 24_000,
      lines: [
        {
          container: container?.attributes['number'],
          from: '2026-11-10',
          to: '2026-11-11',
          rate_minor: 12_000,
          amount_minor: 24_000,
        },
      ],
    },
  })
}

/** A message about a container that is tracked, and one about a container that nobody tracks. */
export async function sendMessages(customer: Customer, channelKey: string): Promise<void> {
  const [container] = await list(customer, '/v2/containers')
  for (const number of [container?.attributes['number'], 'APZU4812090'])
    await must(
      { ...customer, key: '' },
      'POST',
      '/v2/inbound/depot',
      { container: number, says: 'pickup_lfd_terminal', value: '2026-12-07' },
      {
        authorization: `Bearer ${channelKey}`,
        'content-type': 'application/json',
      },
    )
}
