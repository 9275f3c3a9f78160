/** The scorecard of estimates over the API: its figures are those that a stranger counts from the exported estimates. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createApiKey } from '../../../src/modules/api-keys/create-api-key.ts'
import { createApiApp } from '../../../src/server/app.ts'
import type { WireResource } from '../../support/api.ts'
import { type BusyMonths, liveBusyMonths } from '../../support/busy-months.ts'

type Values = Readonly<Record<string, unknown>>
const shipmentOf = (links: WireResource['relationships']): string =>
  String((links?.['shipment']?.data as { readonly id: string } | undefined)?.id)
const script = fileURLToPath(new URL('eta-figures.mjs', import.meta.url))

describe('the scorecard after some months of journeys', () => {
  let months: BusyMonths
  let get: (account: number, url: string) => Promise<{ data: readonly WireResource[]; meta: { total: number } }>

  before(async () => {
    months = await liveBusyMonths({ journeys: 12, seed: 11 })
    const { service } = months.world
    const app = await createApiApp(service)
    const keys = await Promise.all(
      months.accounts.map(({ account }) =>
        createApiKey(service, { accountId: account.id, name: 'Test', scopes: ['read'] }),
      ),
    )
    get = async (account, url) => {
      const answer = await app.inject({ url, headers: { authorization: `Token ${keys[account]?.key}` } })
      assert.equal(answer.statusCode, 200, answer.body)
      return JSON.parse(answer.body)
    }
  })
  after(() => months.close())

  const listAll = async (account: number, path: string): Promise<readonly WireResource[]> => {
    const rows: WireResource[] = []
    for (let page = 1; ; page += 1) {
      const { data, meta } = await get(
        account,
        `${path}${path.includes('?') ? '&' : '?'}page[size]=100&page[number]=${page}`,
      )
      rows.push(...data)
      if (rows.length >= meta.total) return rows
    }
  }

  const exportShipments = async (account: number): Promise<readonly Values[]> => {
    const containers = await listAll(account, '/v2/containers?include=shipment')
    const shipments: Values[] = []
    for (const { id, attributes } of await listAll(account, '/v2/shipments')) {
      const boxes = containers.filter(({ relationships }) => {
        return shipmentOf(relationships) === id
      })
      const arrivals: Values[] = []
      for (const box of boxes) {
        const events = await listAll(account, `/v2/containers/${box.id}/transport_events`)
        for (const { attributes: event } of events)
          if (
            /vessel_(arrived|berthed)$/.test(String(event['event'])) &&
            !String(event['event']).includes('estimated') &&
            event['location_locode'] === attributes['port_of_discharge_locode']
          )
            arrivals.push({
              at: event['timestamp'],
              event: event['event'],
              zone: event['timezone'],
              container: box.attributes['number'],
            })
      }
      const etas = await listAll(account, `/v2/shipments/${id}/etas`)
      shipments.push({ line: attributes['shipping_line_scac'], arrivals, etas: etas.map((eta) => eta.attributes) })
    }
    return shipments
  }

  test('equals what a script of its own counts from the exported estimates', async () => {
    let compared = 0
    for (const account of [0, 1, 2]) {
      const input = JSON.stringify(await exportShipments(account))
      const expected = JSON.parse(execFileSync(process.execPath, [script], { input }).toString()) as Record<
        string,
        Values
      >
      const scores = await listAll(account, '/v2/scorecards/etas')
      const cellOf = ({ attributes: a }: WireResource) =>
        `${a['shipping_line_scac']} ${a['kind']} ${a['days_ahead_min']}`
      assert.deepEqual(scores.map(cellOf).toSorted(), Object.keys(expected).toSorted())
      for (const score of scores) {
        const { attributes: a } = score
        const own = expected[cellOf(score)] ?? {}
        assert.equal(a['estimates'], own['n'], cellOf(score))
        const pairs = {
          mean_error_hours: 'mean',
          median_error_hours: 'median',
          bias_hours: 'bias',
          mean_move_hours: 'move',
        }
        const shares = { within_day_share: 'day', range_held_share: 'held', moved_share: 'moved' }
        for (const [name, key] of Object.entries({ ...pairs, ...shares })) {
          const [given, counted] = [a[name], own[key]]
          if (given === null || counted === null) assert.equal(given, counted, `${cellOf(score)} ${name}`)
          else
            assert.ok(
              Math.abs(Number(given) - Number(counted)) <= (name in pairs ? 0.101 : 0.001),
              `${cellOf(score)} ${name}`,
            )
        }
        compared += 1
      }
    }
    assert.ok(compared > 20, `${compared} rows`)
  })

  test('every figure leads to its estimates and their shipments, whatever it is grouped by', async () => {
    const shipments = new Set((await listAll(0, '/v2/shipments')).map(({ id }) => id))
    for (const groups of ['line', 'lane', 'countries', 'line,lane', 'none']) {
      const scores = await listAll(0, `/v2/scorecards/etas?group_by=${groups}&filter[arrived_at][start]=2026-01-20`)
      assert.ok(scores.length > 0, groups)
      let judged = 0
      for (const { attributes } of scores) {
        const path = String(attributes['outcomes_path'])
        const { data, meta } = await get(0, path)
        assert.equal(meta.total, attributes['estimates'], path)
        judged += meta.total
        for (const { relationships } of data) assert.ok(shipments.has(shipmentOf(relationships)))
      }
      const all = await get(0, '/v2/scorecards/etas/outcomes?filter[arrived_at][start]=2026-01-20')
      assert.equal(judged, all.meta.total, groups)
    }
  })

  test('an account sees its own shipments alone, in the real world as in the sandbox', async () => {
    for (const account of [0, 1, 2]) {
      const shipments = new Set((await listAll(account, '/v2/shipments')).map(({ id }) => id))
      const outcomes = await listAll(account, '/v2/scorecards/etas/outcomes')
      assert.ok(outcomes.length > 0)
      for (const { relationships } of outcomes) assert.ok(shipments.has(shipmentOf(relationships)))
    }
  })
})
