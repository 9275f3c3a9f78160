// Migration from another installation of the v2 API: its tracked numbers, tracking them here, and every difference.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Carrier, openCarrier } from '../support/carrier.ts'
import { openCommandLine } from '../support/command-line.ts'
import { seedRoute } from '../support/route-seed.ts'
import { giveAccess } from '../support/service.ts'

let there: TestApi
let here: TestApi
let carrier: Carrier
let url: string
let proxy: { readonly url: string; readonly server: Server }
const line = openCommandLine(() => ({
  LANDFALL_API_KEY: here.key,
  LANDFALL_API_URL: url,
  LANDFALL_OTHER_API_KEY: there.key,
}))

/** Planted differences of the other installation: path of the resource, name, value. */
const planted: readonly (readonly [type: string, name: string, value: unknown])[] = [
  ['shipment', 'pod_vessel_name', 'EVER OTHER'],
  ['shipment', 'pod_voyage_number', '999X'],
  ['shipment', 'destination_locode', 'USDAL'],
  ['shipment', 'pol_atd_at', '2026-01-01T00:00:00Z'],
  ['container', 'equipment_length', 20],
  ['container', 'seal_number', 'SEAL-9'],
  ['container', 'weight_in_lbs', 41_000],
  ['container', 'pickup_lfd', '2026-02-02T08:00:00Z'],
  ['container', 'holds_at_pod_terminal', [{ name: 'customs', status: 'hold', description: 'X' }]],
]
const plantedEvent = 'container.transport.vessel_loaded'

before(async () => {
  carrier = await openCarrier()
  ;[there, here] = [await openAt(), await openAt()]
  await seedRoute(there, { bill: 'ONEYMOVING001', carrier })
  await giveAccess(here, { scac: 'ONEY', profile: carrier.profile('ONEY', { isFullPicture: true }) })
  url = await here.app.listen({ port: 0, host: '127.0.0.1' })
  proxy = await openProxy(await there.app.listen({ port: 0, host: '127.0.0.1' }))
})
after(async () => {
  proxy.server.closeAllConnections()
  proxy.server.close()
  await carrier.close()
  await there.close()
  await here.close()
})

const openAt = () => openTestApi({ startAt: '2026-01-26T00:00:00Z' })

/** Forwards requests, and changes the planted values in the answers. */
async function openProxy(to: string): Promise<{ readonly url: string; readonly server: Server }> {
  let isPlanting = false
  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === '/plant') isPlanting = true
      const { authorization = '' } = request.headers
      const answer = await fetch(to + (request.url ?? ''), { headers: { authorization } })
      const text = (await answer.text()).replaceAll(to, `http://${request.headers.host}`)
      const changed = isPlanting && answer.ok ? JSON.stringify(plant(JSON.parse(text))) : text
      response.writeHead(answer.status, { 'content-type': 'application/vnd.api+json' }).end(changed)
    })()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return { url: `http://127.0.0.1:${address.port}`, server }
}

interface Wire {
  readonly type: string
  readonly attributes: Record<string, unknown>
}
function plant(document: { readonly data?: Wire | readonly Wire[]; readonly included?: readonly Wire[] }): object {
  const resources = [document.data ?? [], document.included ?? []].flat()
  for (const { type, attributes } of resources) {
    for (const [of, name, value] of planted) if (of === type && name in attributes) attributes[name] = value
    if (type === 'transport_event' && attributes['event'] === plantedEvent)
      attributes['timestamp'] = '2026-01-05T05:05:00Z'
  }
  return document
}

test('migrate check lists the numbers tracked at the other installation by line, and what is missing here', async () => {
  const { code, out, err } = await line.call(`migrate check --from ${proxy.url}`)
  assert.equal(code, 0, err + out)
  assert.match(
    out,
    /^LINE +NUMBERS THERE +FAILED THERE +TRACKED HERE +TO BE MOVED +LINE HERE\nONEY +1 +0 +0 +1 +can be asked\n/,
  )
  const away = await line.call('migrate check --from http://127.0.0.1:9')
  assert.equal(away.code, 1)
  assert.match(away.err, /^The other installation, http:\/\/127\.0\.0\.1:9, cannot be read: /m)
  const wrong = await line.call('migrate check --from ftp://nowhere')
  assert.deepEqual([wrong.code, wrong.out], [2, ''])
  assert.match(wrong.err, /is not a URL with http/)
})

test('migrate shadow tracks the same numbers here, once', async () => {
  const dry = await line.call(`migrate shadow --from ${proxy.url} --dry-run --json`)
  assert.equal(JSON.parse(dry.out).would_be_tracked, 1)
  assert.equal((await here.call({ url: '/v2/tracking_requests' })).many().length, 0)
  const first = await line.call(`migrate shadow --from ${proxy.url} --json`)
  assert.equal(JSON.parse(first.out).tracked_now, 1, first.err)
  await here.drain()
  const again = JSON.parse((await line.call(`migrate shadow --from ${proxy.url} --json`)).out)
  assert.deepEqual([again.tracked_now, again.tracked_here_already], [0, 1])
  assert.equal((await here.call({ url: '/v2/tracking_requests' })).many().length, 1)
})

test('migrate diff finds no difference between two installations with the same data', async () => {
  const { code, out, err } = await line.call(`migrate diff --from ${proxy.url} --json`)
  assert.deepEqual([out, code], ['', 0], err)
  assert.match(err, /1 shipments compared: 0 differences/)
})

test('migrate diff finds exactly the ten planted differences, and shows which source stated each value here', async () => {
  await fetch(`${proxy.url}/plant`)
  const { code, out, err } = await line.call(`migrate diff --from ${proxy.url} --json`)
  assert.equal(code, 1, err)
  const rows = out
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each) as Record<string, unknown>)
  const found = rows.map(({ of, what }) => `${String(of)} ${String(what).split(' ')[0]}`)
  const wanted = [...planted.map(([type, name]) => `${type} ${name}`), `transport_event ${plantedEvent}`]
  assert.deepEqual([...new Set(found)].toSorted(), wanted.toSorted())
  const ship = rows.find(({ what }) => what === 'pod_vessel_name')
  assert.equal(ship?.['there'], 'EVER OTHER')
  assert.match(String(ship?.['said_here']), /^shipping_line ONEY, read 2026-/)
  assert.equal(rows.find(({ of }) => of === 'transport_event')?.['said_here'], 'shipping_line')
  const kinds = new Map(rows.map(({ what, kind }) => [what, kind]))
  assert.equal(kinds.get('pickup_lfd'), 'only_there')
  const table = await line.call(`migrate diff --from ${proxy.url} --number ONEYMOVING001`)
  assert.match(table.out, /^NUMBER +WHAT +THERE +HERE +SAID HERE BY\n/)
  assert.match(table.err, /differences \(\d+ differs, \d+ only there, 0 only here\); 0 not tracked here/)
})
