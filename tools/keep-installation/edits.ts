/**
 * What users do with tracked shipments: references, tags, deliveries, parties, custom fields, stopping and resuming.
 */

import { type Customer, list, must, send } from './customer.ts'

/** Called before anything is tracked: makes what later requests refer to. */
export async function prepareFields(customer: Customer): Promise<{ readonly partyId: string }> {
  const define = (attributes: object) =>
    send(customer, 'POST', '/v2/custom_field_definitions', { type: 'custom_field_definition', attributes })
  const text = (entityType: string, slug: string, more: object = {}) =>
    define({ entity_type: entityType, api_slug: slug, display_name: slug, data_type: 'short_text', ...more })
  await text('Shipment', 'buyer')
  await text('Container', 'gate_code', { validation: { pattern: '[A-Z]{2}-[0-9]{4}', max_length: 10 } })
  await text('Shipment', 'cost_centre', { validation: { pattern: '[A-Z0-9-]*[0-9][A-Z0-9-]*' } })
  await text('TrackingRequest', 'desk', { default_value: 'north' })
  await define({
    entity_type: 'Shipment',
    api_slug: 'value_usd',
    display_name: 'Value',
    data_type: 'number',
    validation: { min: 0 },
  })
  await define({
    entity_type: 'Container',
    api_slug: 'opened_on',
    display_name: 'Opened on',
    data_type: 'date',
  })
  const season = await define({
    entity_type: 'Shipment',
    api_slug: 'season',
    display_name: 'Season',
    data_type: 'enum',
  })
  for (const value of ['spring', 'autumn'])
    await send(customer, 'POST', `/v2/custom_field_definitions/${season.id}/options`, {
      type: 'custom_field_option',
      attributes: { label: value, value },
    })
  const party = await send(customer, 'POST', '/v2/parties', {
    type: 'party',
    attributes: { company_name: 'Harbour & Söhne' },
  })
  await send(customer, 'POST', '/v2/parties', { type: 'party', attributes: { company_name: 'Quay Ltd' } })
  return { partyId: party.id }
}

/** `round`: makes the values of the second call differ from those of the first. */
export async function editAll(customer: Customer, round: number): Promise<void> {
  const [shipments, containers, requests] = await Promise.all(
    ['shipments', 'containers', 'tracking_requests'].map((name) => list(customer, `/v2/${name}`)),
  )
  for (const [index, { id }] of (shipments ?? []).entries()) {
    if (index % 2 === round % 2)
      await send(customer, 'PATCH', `/v2/shipments/${id}`, {
        type: 'shipment',
        attributes: { ref_numbers: [`REF ${index}/${round}`, 'ÄÖ-7'], tags: [`round-${round}`] },
      })
    const fields = {
      buyer: `Buyer "${index}" <é>`,
      cost_centre: `EMEA-${index}`,
      value_usd: 1000.25 + index,
      season: 'spring',
    }
    if (index % 3 === 0) await putFields(customer, `/v2/shipments/${id}`, fields, round)
    if (index % 5 === 1) await must(customer, 'PATCH', `/v2/shipments/${id}/stop_tracking`)
    if (index % 10 === 1 && round > 0) await must(customer, 'PATCH', `/v2/shipments/${id}/resume_tracking`)
  }
  for (const [index, { id, attributes }] of (containers ?? []).entries()) {
    // A time on the clock of the journeys, which differs from ours while the sandbox catches up.
    const deliveredAt = attributes['created_at']
    if (index % 7 === 0)
      await send(customer, 'PATCH', `/v2/containers/${id}`, {
        type: 'container',
        attributes: round > 0 && index % 14 === 0 ? { delivered_at: null } : { delivered_at: deliveredAt },
      })
    if (index % 4 === 0)
      await send(customer, 'PATCH', `/v2/containers/${id}`, {
        type: 'container',
        attributes: { ref_numbers: [`BOX ${index}`] },
      })
    if (index % 6 === 0)
      await putFields(customer, `/v2/containers/${id}`, { gate_code: 'AB-1234', opened_on: '2026-11-02' }, round)
    if (index % 9 === 0) await must(customer, 'PATCH', `/v2/containers/${id}/refresh`)
  }
  for (const [index, { id }] of (requests ?? []).entries()) {
    if (index % 6 !== 0) continue
    await send(customer, 'PATCH', `/v2/tracking_requests/${id}`, {
      type: 'tracking_request',
      attributes: { ref_numbers: [`TR ${index}/${round}`] },
    })
    await putFields(customer, `/v2/tracking_requests/${id}`, { desk: 'south' }, round)
  }
  const stopped = (shipments ?? []).slice(-2).map(({ id }) => ({ type: 'shipment', id }))
  if (round > 0 && stopped.length > 0)
    await must(customer, 'POST', '/v2/shipments/batch/stop_tracking', { data: stopped })
}

async function putFields(
  customer: Customer,
  path: string,
  values: Readonly<Record<string, unknown>>,
  round: number,
): Promise<void> {
  const there = await list(customer, `${path}/custom_fields`)
  const slugs = new Set(there.map(({ attributes }) => attributes['api_slug']))
  for (const [slug, value] of Object.entries(values)) {
    if (!slugs.has(slug))
      await send(customer, 'POST', `${path}/custom_fields`, {
        type: 'custom_field',
        attributes: { api_slug: slug, value },
      })
    else if (round > 0)
      await send(customer, 'PATCH', `${path}/custom_fields/${slug}`, {
        type: 'custom_field',
        attributes: { value },
      })
  }
}
