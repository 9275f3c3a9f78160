/**
 * Complete tasks of an agent, with the official client in both versions of the protocol. Only what a model reads
 * is checked.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { connect, eras, openTestMcp, type TestMcp, textOf } from '../support/mcp.ts'
import { discharged, journey, seededAt } from '../support/seed.ts'
import { giveAccess } from '../support/service.ts'

type Json = Readonly<Record<string, unknown>>
interface Read {
  readonly isError: boolean
  readonly text: string
  readonly data: Json
  /** The block for the assistant alone. */
  readonly steering: Json
}

/** The text of an answer that the model reads. */
async function read(client: Client, name: string, args: object = {}): Promise<Read> {
  const { content, isError } = await client.callTool({
    name,
    arguments: { ...args, intent: 'as the user asked' },
  })
  const [first, last] = [textOf(content[0]), textOf(content.at(-1))]
  if (isError === true) return { isError, text: first, data: {}, steering: {} }
  return { isError: false, text: first, data: JSON.parse(first) as Json, steering: JSON.parse(last) as Json }
}

const rows = (data: Json, name = 'items') => data[name] as readonly Json[]

for (const [index, era] of eras.entries()) {
  describe(`an agent with protocol ${era} can do the task`, () => {
    let api: TestApi
    let mcp: TestMcp
    let client: Client
    let one: Carrier
    let maersk: Carrier
    const boxes = index === 0 ? ['MSCU4000005', 'MSCU4000010'] : ['MSCU4000026', 'MSCU4000031']
    const [box = '', other = ''] = boxes
    const bill = `CNSH4000000${index}`

    before(async () => {
      api = await openTestApi({ startAt: seededAt })
      mcp = await openTestMcp(api)
      client = await connect(mcp.url, { authorization: `Token ${api.key}`, era })
      one = await openCarrier()
      maersk = await openCarrier()
      one.answers({ json: journey(boxes, 'first') }, bill)
      await giveAccess(api, { scac: 'ONEY', profile: one.profile('ONEY') })
      await giveAccess(api, { scac: 'MAEU', profile: maersk.profile('MAEU') })
    })
    after(async () => {
      await client.close()
      await mcp.close()
      await one.close()
      await maersk.close()
      await api.close()
    })

    test('“track this bill with Maersk … no, it is ONE”', async () => {
      assert.equal((await read(client, 'search_container', { query: bill })).data['total_results'], 0)
      const asked = { number: bill, numberType: 'bill_of_lading', refNumbers: ['PO 4711 A'] }
      const first = await read(client, 'track_container', { ...asked, scac: 'Maersk' })
      assert.equal(first.data['tracking_request_created'], true)
      await api.drain()
      const answer = await read(client, 'track_container', { number: bill })
      assert.match(String(answer.data['message']), /Maersk does not know this number.*Next look: 2026-/)
      assert.doesNotMatch(answer.text, /within minutes/)
      assert.match(String(answer.steering['presentation_guidance']), /Promise no data/)
      const right = await read(client, 'track_container', { ...asked, scac: 'ONE' })
      assert.equal((right.data['tracking_request'] as Json)['scac'], 'ONEY')
      await api.drain()
      const shown = await read(client, 'track_container', { number: bill })
      assert.equal(shown.data['number'], box)
      assert.deepEqual((shown.data['shipment'] as Json)['ref_numbers'], ['PO 4711 A'])
      assert.ok((shown.steering['suggested_follow_ups'] as readonly string[]).length > 0)
    })

    test('“where is …?” with a typing mistake in the number', async () => {
      const typed = `${box.slice(0, 10)}${(Number(box.at(10)) + 3) % 10}`
      const search = await read(client, 'search_container', { query: typed })
      assert.match(String(search.data['message']), new RegExp(`check digit is wrong.*${box}`))
      const track = await read(client, 'track_container', { number: typed })
      assert.ok(track.isError)
      assert.match(track.text, new RegExp(`check digit is wrong.*${box}`))
      assert.doesNotMatch(`${search.text} ${track.text}`, /not found/i)
      const exchanged = `${box.slice(0, 4)}${box.charAt(5)}${box.charAt(4)}${box.slice(6)}`
      for (const name of ['search_container', 'track_container'])
        assert.match(
          (await read(client, name, { [name === 'track_container' ? 'number' : 'query']: exchanged })).text,
          new RegExp(`one mistake away, and tracked here: ${box}`, 'i'),
        )
      const right = await read(client, 'search_container', { query: box })
      assert.equal(rows(right.data, 'containers')[0]?.['number'], box)
    })

    test('“which of my containers at Los Angeles must be picked up this week?”', async () => {
      const ask = { filters: { pod: 'Los Angeles', lfd_before: '2026-03-15', status: 'not picked up' } }
      const silent = await read(client, 'list_containers', ask)
      assert.deepEqual(rows(silent.data), [])
      assert.match(
        String(rows(silent.data, 'unknown')[0]?.['message']),
        /2 containers whose last free day nobody knows \(not picked up yet: 2\)/,
      )
      assert.match(String(silent.steering['presentation_guidance']), /never say "none"/)
      const ids = await discharged(api, {
        [box]: { line: '2026-03-21', terminal: '2026-03-11', isAvailable: true },
      })
      const answer = await read(client, 'list_containers', ask)
      assert.deepEqual(
        rows(answer.data).map((row) => [row['number'], row['earliestLfd'], row['urgency'], row['availableForPickup']]),
        [[box, '2026-03-11', 'soon', true]],
      )
      assert.deepEqual(
        rows(answer.data, 'unknown').map(({ count }) => count),
        [1],
      )
      assert.deepEqual(answer.data['understood'], {
        lfd: 'to 2026-03-15, whole days at the place',
        pod: 'Los Angeles (USLAX)',
        status: 'new, loaded, on_ship, grounded, available, not_available, awaiting_inland_transfer, on_rail, off_dock',
      })
      const { data } = await read(client, 'get_container', { id: ids.get(box) })
      assert.match(String((data['demurrage'] as Json)['urgency_reason']), /says the terminal/)
      const wrong = await read(client, 'list_containers', { filters: { port: 'Los Angeles' } })
      assert.match(wrong.text, /Did you mean `pod` or `pol`/)
    })

    test('“add reference PO 9 B to the shipment, and take the other away”', async () => {
      const found = await read(client, 'search_container', { query: other })
      const id = rows(found.data, 'containers')[0]?.['shipment_id']
      const missing = await read(client, 'update_shipment', { id, remove_ref_numbers: ['PO 4711'] })
      assert.match(missing.text, /has no reference “PO 4711”.*It has: PO 4711 A/)
      const changed = await read(client, 'update_shipment', {
        id,
        add_ref_numbers: ['PO 9 B'],
        remove_ref_numbers: ['PO 4711 A'],
      })
      assert.deepEqual(changed.data['ref_numbers'], ['PO 9 B'])
      const again = await read(client, 'get_shipment_details', { id })
      assert.deepEqual(again.data['ref_numbers'], ['PO 9 B'])
    })

    test('“what failed to be delivered today?”', async () => {
      const none = await read(client, 'webhook_health')
      assert.deepEqual(rows(none.data), [])
      const today = String((none.data['_response_contract'] as Json)['now']).slice(0, 10)
      const attributes = {
        url: 'http://127.0.0.1:9/hook?token=secret',
        active: true,
        events: ['tracking_request.tracking_stopped'],
      }
      await api.drain()
      await api.call({ method: 'POST', url: '/v2/webhooks', body: { data: { type: 'webhook', attributes } } })
      const found = await read(client, 'search_container', { query: other })
      await read(client, 'stop_tracking', { id: rows(found.data, 'containers')[0]?.['shipment_id'] })
      await api.drain()
      const answer = await read(client, 'webhook_health', { created_after: today })
      const [failure] = rows(answer.data)
      assert.deepEqual(
        [failure?.['event'], failure?.['deliveryStatus'], failure?.['attempts']],
        ['tracking_request.tracking_stopped', 'pending', 1],
      )
      assert.match(String(failure?.['nextAttemptAt']), /^2026-/)
      assert.deepEqual(
        [rows(answer.data, 'webhooks')[0]?.['host'], rows(answer.data, 'webhooks')[0]?.['active']],
        ['127.0.0.1:9', true],
      )
      assert.doesNotMatch(answer.text, /secret/)
      const wrong = await read(client, 'webhook_health', { created_after: 'today' })
      assert.match(wrong.text, /`created_after` must be a time such as/)
    })
  })
}
