/** Looks at the installation from outside, as its customers do, and records its answers. */

import type { Encryption } from '../../src/platform/encryption.ts'
import { changeOfNothing, type Observed, type ObservedAnswer, type SealedValue } from '../../test/upgrade/observed.ts'
import { byKey, type Dump } from '../../test/upgrade/rows.ts'
import { ask, type Customer, list } from './customer.ts'

const lists = [
  'tracking_requests',
  'shipments',
  'containers',
  'parties',
  'custom_field_definitions',
  'custom_fields',
  'webhooks',
  'saved_views',
  'share_links',
  'alert_rules',
  'charge_terms',
  'calendars',
  'invoices/audits',
  'inbound_messages',
]
const pagesMax = 20

export async function observeAnswers(customer: Customer): Promise<readonly ObservedAnswer[]> {
  const answers: ObservedAnswer[] = []
  const look = async (url: string): Promise<string | null> => {
    const { status, body } = await ask(customer, 'GET', url)
    answers.push({ key: customer.key, url, status, data: body.data ?? null })
    const next = body.links?.['next'] ?? null
    if (next === null) return null
    const { pathname, search } = new URL(next, customer.apiUrl)
    return pathname + search
  }
  /** Reads to the last page. The upgrade test asks again with the `next` links that a client holds. */
  const lookThrough = async (first: string): Promise<void> => {
    let url: string | null = first
    for (let pages = 0; url !== null && pages < pagesMax; pages += 1) {
      const next = await look(url)
      const data = answers.at(-1)?.data
      url = Array.isArray(data) && data.length > 0 ? next : null
    }
  }
  for (const name of lists) await lookThrough(`/v2/${name}?page[size]=50`)
  await lookThrough('/v2/webhook_notifications?page[size]=100')
  await lookThrough('/v2/events?limit=100')
  await look('/v2/shipping_lines')
  for (const { id } of await list(customer, '/v2/shipments'))
    for (const rest of ['', '/etas', '/custom_fields', '/notes', '/party_roles'])
      await look(`/v2/shipments/${id}${rest}`)
  for (const { id } of await list(customer, '/v2/containers'))
    for (const rest of ['', '/transport_events?page[size]=100', '/raw_events?page[size]=100', '/custom_fields'])
      await look(`/v2/containers/${id}${rest}`)
  for (const { id } of await list(customer, '/v2/tracking_requests'))
    for (const rest of ['', '/attempts']) await look(`/v2/tracking_requests/${id}${rest}`)
  for (const { id, attributes } of await list(customer, '/v2/custom_field_definitions'))
    if (attributes['data_type'] === 'enum') await look(`/v2/custom_field_definitions/${id}/options`)
  return answers
}

export async function observeKey(customer: Customer, about: string): Promise<Observed['keys'][number]> {
  const { status: reads } = await ask(customer, 'GET', '/v2/shipments')
  const { status: writes } = await ask(customer, 'PATCH', changeOfNothing.url, changeOfNothing.body)
  return { key: customer.key, about, reads, writes }
}

/** Decrypts every column whose name ends with `_sealed`. */
export function openSealed(dump: Dump, vault: Encryption): readonly SealedValue[] {
  return dump.tables.flatMap((table) =>
    table.columns
      .filter((column) => column.endsWith('_sealed'))
      .flatMap((column) =>
        [...byKey(table)].flatMap(([key, row]) => {
          const text = row.get(column) ?? null
          if (text === null) return []
          const clear = vault.decrypt(Buffer.from(text.replace(/^\\x/, ''), 'hex'))
          return [{ table: table.name, column, key, clear }]
        }),
      ),
  )
}
