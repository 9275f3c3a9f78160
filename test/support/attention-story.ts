/**
 * Shipments for the tests of attention: a line on loopback tells their events in DCSA, and a terminal and a railway send
 * facts. Everything goes through the real fold.
 */

import assert from 'node:assert/strict'
import { createChannel } from '../../src/modules/channels/channels.ts'
import { openTestApi, type TestApi, type WireResource } from './api.ts'
import { type Carrier, openCarrier } from './carrier.ts'
import { equipment, transport } from './seed.ts'
import { giveAccess } from './service.ts'

export interface AttentionStory {
  readonly api: TestApi
  readonly carrier: Carrier
  readonly track: (bill: string, events: readonly unknown[], more?: Record<string, unknown>) => Promise<string>
  /** The line tells this from now on, and is asked again. */
  readonly tell: (bill: string, events: readonly unknown[], hours?: number) => Promise<void>
  readonly says: (number: string, says: string, value: unknown) => Promise<void>
  readonly items: (query?: string, key?: string) => Promise<readonly WireResource[]>
  /** The item with this reason; fails unless there is exactly one. */
  readonly item: (reason: string, query?: string) => Promise<WireResource>
  readonly close: () => Promise<void>
}

export async function openAttentionStory(
  options: { readonly startAt?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<AttentionStory> {
  const api = await openTestApi({ startAt: '2026-02-03T00:00:00Z', ...options })
  const carrier = await openCarrier()
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY', { isFullPicture: true }) })
  const { id, isSandbox } = api.context.account
  const { key } = await createChannel(api.service, {
    name: 'pier',
    account: { id, isSandbox },
    speaker: { kind: 'terminal', code: 'W185' },
    source: 'statements',
    profile: {},
    isFirstHand: true,
    keyKind: 'bearer',
  })
  const items: AttentionStory['items'] = async (query = '', by = api.key) =>
    (await api.call({ url: `/v2/attention${query}`, key: by })).many()
  return {
    api,
    carrier,
    items,
    track: async (bill, events, more = {}) => {
      carrier.answers({ json: events }, bill)
      const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'ONEY', ...more }
      const made = await api.call({
        method: 'POST',
        url: '/v2/tracking_requests',
        body: { data: { type: 'tracking_request', attributes } },
      })
      assert.equal(made.status, 201, made.text)
      await api.drain()
      const request = await api.call({ url: `/v2/tracking_requests/${made.one().id}` })
      const tracked = request.one().relationships?.['tracked_object']?.data as { readonly id: string } | null
      return tracked?.id ?? made.one().id
    },
    tell: async (bill, events, hours = 26) => {
      carrier.answers({ json: events }, bill)
      await api.pass(hours)
    },
    says: async (number, says, value) => {
      const answer = await api.app.inject({
        method: 'POST',
        url: '/v2/inbound/pier',
        payload: JSON.stringify({
          id: `pier-${number}-${says}`,
          written_at: new Date(api.clock.now()).toISOString(),
          container: number,
          says,
          value,
        }),
        headers: {
          'content-type': 'application/json',
          host: 'landfall.test',
          authorization: `Bearer ${key}`,
        },
      })
      assert.equal(answer.statusCode, 202, answer.body)
      await api.drain()
    },
    item: async (reason, query = '') => {
      const found = (await items(query)).filter(({ attributes }) => attributes['reason'] === reason)
      assert.equal(found.length, 1, `${reason}: ${JSON.stringify(found)}`)
      return found[0] as WireResource
    },
    close: async () => {
      await carrier.close()
      await api.close()
    },
  }
}

const ship = { vesselIMONumber: '9321483', vesselName: 'EMMA MAERSK' }
const shanghai = { call: 'A', unlocode: 'CNSHA', facility: null, sequence: 1 }
const losAngeles = { call: 'C', unlocode: 'USLAX', facility: 'APMT', sequence: 3 }
const sea = { mode: 'VESSEL', vessel: ship, voyage: '601E' }

/** Booked, loaded and at sea; `eta` is the arrival that is expected, `with` the ship. */
export function atSea(
  number: string,
  eta: string,
  by: { readonly vessel: typeof ship; readonly voyage: string } = { vessel: ship, voyage: '601E' },
): readonly unknown[] {
  const aboard = { ...sea, ...by }
  return [
    transport('DEPA', 'ACT', '2026-01-12T22:00:00+08:00', { ...shanghai, ...aboard }),
    transport('ARRI', 'EST', eta, { ...losAngeles, ...aboard }),
    equipment('GTIN', 'LADEN', '2026-01-09T15:00:00+08:00', {
      ...shanghai,
      mode: 'TRUCK',
      vessel: null,
      voyage: null,
      number,
    }),
    equipment('LOAD', 'LADEN', '2026-01-11T04:00:00+08:00', { ...shanghai, ...aboard, number }),
  ]
}

/** Not sailed yet: the sailing that is planned. */
export function booked(number: string, sails: string): readonly unknown[] {
  return [
    transport('DEPA', 'EST', sails, { ...shanghai, ...sea }),
    equipment('GTIN', 'LADEN', '2026-01-30T15:00:00+08:00', {
      ...shanghai,
      mode: 'TRUCK',
      vessel: null,
      voyage: null,
      number,
    }),
  ]
}

/** Unloaded at Los Angeles on 2 February 2026, 13:00 there. */
export function landed(number: string): readonly unknown[] {
  return [
    ...atSea(number, '2026-02-01T08:00:00-08:00'),
    transport('ARRI', 'ACT', '2026-02-01T10:00:00-08:00', { ...losAngeles, ...sea }),
    equipment('DISC', 'LADEN', '2026-02-02T13:00:00-08:00', { ...losAngeles, ...sea, number }),
  ]
}

export function pickedUp(number: string): readonly unknown[] {
  const land = { mode: 'TRUCK', vessel: null, voyage: null }
  return [
    ...landed(number),
    equipment('GTOT', 'LADEN', '2026-02-03T10:00:00-08:00', { ...losAngeles, ...land, number }),
  ]
}

/** Unloaded at Los Angeles, and to go on by rail to Dallas. */
export function toGoOnByRail(number: string): readonly unknown[] {
  const dallas = { call: 'D', unlocode: 'USDAL', facility: null, sequence: 4 }
  return [
    ...landed(number),
    transport('ARRI', 'EST', '2026-02-16T08:00:00-06:00', {
      ...dallas,
      mode: 'RAIL',
      vessel: null,
      voyage: null,
    }),
  ]
}
