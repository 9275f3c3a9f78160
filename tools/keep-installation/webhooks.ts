/**
 * Webhooks of every kind: one that accepts all, one with a rotated secret, one with its own headers, one that is
 * switched off, and one whose receiver always fails.
 */

import { eventNames } from '../../src/domain/changes/event-table.ts'
import type { ObservedWebhook } from '../../test/upgrade/observed.ts'
import { type Customer, list, must, send } from './customer.ts'
import { failingPath, type Receiver } from './receiver.ts'

export interface Hook {
  readonly id: string
  readonly key: string
  readonly path: string
  readonly secrets: readonly string[]
}

const told = ['tracking_request.succeeded', 'container.created', 'container.transport.vessel_arrived'] as const

export async function makeHooks(customer: Customer, receiver: Receiver, name: string): Promise<readonly Hook[]> {
  const make = async (path: string, attributes: object): Promise<Hook> => {
    const url = receiver.url(path)
    const { id, attributes: shown } = await send(customer, 'POST', '/v2/webhooks', {
      type: 'webhook',
      attributes: { url, ...attributes },
    })
    return { id, key: customer.key, path, secrets: [String(shown['secret'])] }
  }
  const headers = [
    { name: 'X-Our-Token', value: `sesame-${name}` },
    { name: 'User-Agent', value: 'Our relay' },
  ]
  const all = await make(`/all/${name}`, { events: eventNames })
  const rotated = await make(`/rotated/${name}`, { events: told })
  const withHeaders = await make(`/headers/${name}`, { events: told, headers })
  const off = await make(`/off/${name}`, { events: told, active: false })
  const failing = await make(`${failingPath}/${name}`, { events: told })
  return [all, rotated, withHeaders, off, failing]
}

/** The old secret stays valid for a day beside the new one. */
export async function rotate(customer: Customer, hook: Hook): Promise<Hook> {
  const { attributes } = await must(customer, 'POST', `/v2/webhooks/${hook.id}/rotate_secret`)
  return { ...hook, secrets: [...hook.secrets, String(attributes['secret'])] }
}

/** Switches the inactive webhook on and requests what it missed. Has one delivery of another webhook sent again. */
export async function recoverAll(customer: Customer, hooks: readonly Hook[]): Promise<void> {
  const own = hooks.filter(({ key }) => key === customer.key)
  const [off, all] = ['/off/', '/all/'].map((path) => own.find((hook) => hook.path.startsWith(path)))
  const since = new Date(Date.now() - 20 * 86_400_000).toISOString()
  await send(customer, 'PATCH', `/v2/webhooks/${off?.id}`, { type: 'webhook', attributes: { active: true } })
  await must(customer, 'POST', `/v2/webhooks/${off?.id}/recover`, { since, mode: 'all' })
  const [first] = await list(customer, `/v2/webhook_notifications?filter[webhook_id]=${all?.id}`)
  await must(customer, 'POST', `/v2/webhook_notifications/${first?.id}/redeliver`)
}

export function seenOf(hooks: readonly Hook[], receiver: Receiver): readonly ObservedWebhook[] {
  return hooks.map((hook) => ({ ...hook, deliveries: receiver.last(hook.path) }))
}
