/**
 * The questions (lists and single resources) that are measured at different sizes, and how long each takes through the
 * whole API.
 */

import type { FastifyInstance } from 'fastify'
import type { Pool } from '../../src/db/database.ts'
import { median, percentile, progress } from './measure.ts'
import { pickIds } from './scale-fill.ts'
import { scaleWebhook } from './scale-fill-events.ts'

export const samples = 200
const unaccounted = 10

/**
 * Paths. `{c}` and the like are replaced by changing ids, `{n}` by a changing number. Where ten thousand containers
 * give less than a full page, the page is small, so that every size returns the same number of rows.
 */
export const asked: readonly string[] = [
  'containers',
  'containers?page[number]=300',
  'containers?page[after]=',
  'containers?include=shipment,pod_terminal',
  'containers?filter[status]=available',
  'containers?filter[status]=empty_returned',
  'containers?filter[scac]=ZIMU',
  'containers?filter[port_of_lading]=KRPUS',
  'containers?filter[port_of_discharge]=NLRTM',
  'containers?filter[port_of_discharge]=NLRTM&filter[status]=available&filter[scac]=MSCU&page[size]=10',
  'containers?filter[port_of_discharge]=NLRTM&filter[status]=available&sort=pickup_lfd',
  'containers?filter[pod_terminal]={t}',
  'containers?filter[vessel]=9000077&page[size]=10',
  'containers?filter[pickup_lfd][end]=2026-07-02&sort=pickup_lfd',
  'containers?filter[pod_eta_at][start]=2026-06-24&filter[pod_eta_at][end]=2026-06-25&sort=pod_eta_at',
  'containers?filter[has_holds]=true',
  'containers?filter[hold]=customs&filter[status]=available',
  'containers?filter[tags]=rare&page[size]=10',
  'containers?filter[tags]=blue',
  'containers?filter[tags]=blue,rare&page[size]=10',
  'containers?filter[tags]=blue&filter[status]=empty_returned',
  'containers?filter[tags]=blue&sort=-pod_eta_at',
  'containers?filter[ref_number]=LOT{n}&page[size]=2',
  'containers?filter[custom_fields][buyer]=buyer {n}&page[size]=1',
  'containers?filter[updated_at][start]=2026-05-31T20:00:00Z',
  'containers?filter[number]=MSCU000{n}',
  'containers?filter[current_status]=available&filter[shipping_line_scac]=MSCU&page[size]=10',
  'containers?filter[pod_code]=NLRTM,DEHAM',
  'containers?filter[pod]=Rotterdam&page[size]=10',
  'containers?filter[arrival]=>=2026-06-24',
  'containers?filter[arrival]=<=2026-06-24&sort=pod_eta_at',
  'containers?filter[pickup_lfd]=<=2026-07-02&sort=pickup_lfd',
  'containers?filter[picked_up_at]=@not_exists',
  'containers?filter[has_fees]=false&page[size]=10',
  'containers?filter[requires_attention]=true',
  'containers?filter[eta_changed_in_last_24h]=true',
  'containers?filter[search_by_ids]=MSCU000{n}&page[size]=1',
  'containers?filter[search_by_shipment_number]=SHA00000{n}&page[size]=1',
  'containers?filter[tags]=blue,rare&filter[tags_and]=true&page[size]=10',
  'shipments?filter[pod_arrival]=>=2026-06-24',
  'shipments?filter[voyage_status]=on_ship&page[size]=5',
  'shipments?filter[pod_eta_changed_at]=>=2026-05-31T00:00:00Z',
  'shipments?filter[q]=SHA00000{n}',
  'containers?sort=created_at',
  'containers?sort=-pod_eta_at',
  'containers?sort=pickup_lfd',
  'containers?sort=number',
  'containers/{c}',
  'containers/{c}?include=shipment,pod_terminal',
  'containers/{c}/transport_events',
  'containers/{c}/raw_events',
  'containers/{c}/map_geojson',
  'containers/{c}/custom_fields',
  'shipments',
  'shipments?include=containers',
  'shipments?filter[status]=in_transit',
  'shipments?filter[status]=completed',
  'shipments?filter[scac]=ZIMU',
  'shipments?filter[port_of_discharge]=NLRTM',
  'shipments?filter[vessel]=9000077&page[size]=5',
  'shipments?filter[tracking_stopped]=true',
  'shipments?filter[tags]=blue',
  'shipments?filter[tags]=blue&page[after]=',
  'shipments?filter[ref_number]=PO-{n}',
  'shipments?number=SHA00000{n}',
  'shipments?q=SHA00000{n}',
  'shipments?sort=-updated_at',
  'shipments?sort=-pod_eta_at',
  'shipments/{s}',
  'shipments/{s}?include=containers',
  'shipments/{s}/etas',
  'tracking_requests',
  'tracking_requests?filter[status]=failed',
  'tracking_requests?filter[scac]=ZIMU',
  'tracking_requests?filter[request_number]=SHA00000{n}',
  'tracking_requests?sort=-updated_at',
  'tracking_requests/{r}',
  'tracking_requests/{r}/attempts',
  'webhook_notifications',
  'webhook_notifications?filter[delivery_status]=failed&page[size]=10',
  'webhook_notifications?filter[event]=container.created&page[size]=10',
  'webhook_notifications?filter[webhook_id]={w}',
  'webhook_notifications/{d}',
  'events?after={n}',
  'events?after={n}&filter[event]=container.created&limit=3',
  'events?filter[shipment_id]={s}',
  'parties',
  'parties?filter[company_name]=company 7&page[size]=10',
  'parties/{p}',
  'custom_fields',
  'custom_fields?filter[entity_id]={c}',
  'custom_fields/{f}',
  'custom_field_definitions',
  'webhooks',
  'shipping_lines',
  'ports/USLAX',
  'search?query=MSCU000{n}',
  'search?query=PO-{n}',
  'search?query=PO-23',
]
const idTables = {
  c: 'containers',
  s: 'shipments',
  r: 'tracking_requests',
  d: 'webhook_notifications',
  p: 'parties',
  f: 'custom_fields',
} as const

/** One installation that is asked. */
export interface Place {
  readonly app: FastifyInstance
  readonly pool: Pool
  readonly key: string
  readonly accountId: string
}

/** The milliseconds of each round. */
export interface Rounds {
  readonly asked: readonly number[]
  readonly bare: readonly number[]
}

/**
 * Asks every question many times, each time about another row. The first rounds are not counted. The places take turns
 * within each round, so that other work on the machine affects all of them equally, and a bare read follows each
 * question. Returns the rounds by question, place by place.
 */
export async function askAll(
  places: readonly Place[],
  questions: readonly string[],
): Promise<ReadonlyMap<string, readonly Rounds[]>> {
  const named = await Promise.all(places.map(nameIds))
  const took = new Map<string, readonly Rounds[]>()
  for (const [number, path] of questions.entries()) {
    const rounds = places.map((): { asked: number[]; bare: number[] } => ({ asked: [], bare: [] }))
    for (let round = -unaccounted; round < samples; round += 1) {
      const at = (round + unaccounted + number * 7) % 400
      for (const [which, { app, pool, key, accountId }] of places.entries()) {
        const id = named[which] ?? (() => '')
        const url = path
          .replace('{n}', String(1_000 + ((at * 37) % 1_000)))
          .replace(/\{(\w)\}/, (_, name: string) => id(name, at))
        const ms = await timed(() => ask(app, key, `/v2/${url}`))
        const bareMs = await timed(() => readBare(pool, accountId, id('c', at + 200)))
        if (round < 0) continue
        rounds[which]?.asked.push(ms)
        rounds[which]?.bare.push(bareMs)
      }
    }
    took.set(path, rounds)
    const told = rounds.map(({ asked: ms }) => `${median(ms).toFixed(1)} / ${percentile(ms, 0.99).toFixed(1)}`)
    progress(`  ${path}: ${told.join(', ')} ms`)
  }
  return took
}

/** Gives the id of the row that a question is about. */
async function nameIds({ pool, accountId }: Place): Promise<(name: string, at: number) => string> {
  const ids = new Map([['w', [scaleWebhook]]])
  for (const [name, table] of Object.entries(idTables)) ids.set(name, await pickIds(pool, accountId, table))
  const { rows } = await pool.query<{ id: string }>(
    'select terminal_id as id from containers where account_id = $1 and terminal_id is not null limit 1',
    [accountId],
  )
  ids.set(
    't',
    rows.map(({ id }) => id),
  )
  return (name, at) => {
    const some = ids.get(name) ?? []
    return some[at % some.length] ?? ''
  }
}

async function ask(app: FastifyInstance, key: string, url: string): Promise<void> {
  const answer = await app.inject({ url, headers: { authorization: `Token ${key}` } })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`)
}

async function readBare(pool: Pool, accountId: string, id: string): Promise<void> {
  const text = 'select number, status from containers where account_id = $1 and id = $2'
  await pool.query({ name: 'bench_point', text, values: [accountId, id] })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
