/** Tasks about many containers or shipments: which, how many, in which order, and how late. */

import type { Agent, Json } from './agents-client.ts'
import { counted, dayAt, type Facts, hoursBetween, sorted } from './agents-facts.ts'
import type { Task } from './agents-tasks.ts'

const dayMs = 86_400_000
const part = (of: Json, name: string): Json => (of[name] ?? {}) as Json
const list = (of: Json, name: string): readonly Json[] => (of[name] ?? []) as readonly Json[]
const waiting = 'available, not available, grounded'
const isWaiting = ({ current_status: s }: Json): boolean =>
  ['available', 'not_available', 'grounded'].includes(String(s))
const daysOn = (facts: Facts, days: number): string =>
  new Date(Date.parse(facts.now) + days * dayMs).toISOString().slice(0, 10)

/** The value that occurs most, the first of equals by the alphabet. */
function most(values: readonly unknown[]): string {
  const counts = Object.entries(counted(values.filter((each) => each !== null)))
  return counts.toSorted(([, a], [, b]) => Number(b) - Number(a))[0]?.[0] ?? ''
}
const busiestPort = (facts: Facts) =>
  most(facts.shipments.map(({ attributes }) => attributes['port_of_discharge_name']))
const busiestShip = (facts: Facts) => most(facts.shipments.map(({ attributes }) => attributes['pod_vessel_name']))
const portOf = (facts: Facts, box: Facts['containers'][number]) =>
  facts.shipmentOf(box).attributes['port_of_discharge_name']
const earliest = ({ import_deadlines: days, pod_timezone, final_destination_timezone: inland }: Json): string | null =>
  Object.values(days as Json)
    .flatMap((each) => dayAt(each, inland ?? pod_timezone) ?? [])
    .toSorted()[0] ?? null

async function counts(agent: Agent, tool: string, by: string, member: string, filters: Json = {}): Promise<Json> {
  if (agent.offers(tool, 'count_by')) {
    const { counts: found } = await agent.ask(tool, { filters, count_by: by, ...agent.withStopped(tool) })
    return Object.fromEntries((found as readonly Json[]).map(({ value, count }) => [String(value), count]))
  }
  const rows = await agent.rows(tool, { filters })
  return counted(
    rows.map((row) => member.split('.').reduce<unknown>((at, name) => (at as Json | null)?.[name], row) ?? null),
  )
}

/** Rows with these members only, where the server can leave the others out. */
function rows(agent: Agent, tool: string, args: Json, fields: string, at?: number): Promise<readonly Json[]> {
  const all = { ...args, ...agent.withStopped(tool) }
  return agent.rows(tool, agent.offers(tool, 'fields') ? { ...all, fields } : all, at)
}

const lateBy = ({ attributes: a }: Facts['shipments'][number]): number | null =>
  hoursBetween(a['pod_original_eta_at'], a['pod_ata_at'] ?? a['pod_eta_at'])

/** Hours that each shipment is later than first told, by bill. */
async function slips(agent: Agent): Promise<readonly (readonly [string, number])[]> {
  if (agent.offers('list_shipments', 'fields')) {
    const all = await rows(agent, 'list_shipments', {}, 'billOfLading, slipHours')
    return all.flatMap(({ billOfLading, slipHours }) =>
      slipHours === null ? [] : [[String(billOfLading), Number(slipHours)] as const],
    )
  }
  const found: (readonly [string, number])[] = []
  for (const row of await agent.rows('list_shipments', { include_containers: true })) {
    const [box] = list(row, 'containers')
    const port = part(row, 'portOfDischarge')['code']
    if (box === undefined || port === undefined) continue
    const { raw_events } = await agent.ask('get_container_raw_events', { id: box['id'] })
    const [first] = (raw_events as readonly Json[])
      .filter((each) => each['code'] === 'ARRI' && each['classifier'] !== 'ACT' && part(each, 'place')['code'] === port)
      .toSorted((a, b) => (String(a['read_at']) < String(b['read_at']) ? -1 : 1))
    const hours = hoursBetween(first?.['time'], row['podAta'] ?? row['podEta'])
    if (hours !== null) found.push([String(row['billOfLading']), hours])
  }
  return found
}

export const lists: readonly Task[] = [
  {
    asks: 'How many containers are there of each status?',
    play: (agent) => counts(agent, 'list_containers', 'status', 'status'),
    truth: (facts) => counted(facts.containers.map(({ attributes }) => attributes['current_status'])),
  },
  {
    asks: 'How many shipments go with each line?',
    play: (agent) => counts(agent, 'list_shipments', 'line', 'scac'),
    truth: (facts) => counted(facts.shipments.map(({ attributes }) => attributes['shipping_line_scac'])),
  },
  {
    asks: 'At which terminal wait how many containers?',
    play: (agent) => counts(agent, 'list_containers', 'terminal', 'podTerminal.name', { status: waiting }),
    truth: async (facts) => {
      const { containers, world } = facts
      const told = await Promise.all(
        containers
          .filter(({ attributes }) => isWaiting(attributes))
          .map(({ id }) => world.get(`/v2/containers/${id}?include=pod_terminal`)),
      )
      const names = told.map(({ body }) => body.included?.find(({ type }) => type === 'terminal')?.attributes['name'])
      return counted(names.map((name) => name ?? null))
    },
  },
  {
    asks: 'Which containers at the busiest port must be fetched within a week?',
    play: async (agent, facts) => {
      const filters = { pod: busiestPort(facts), status: waiting, lfd_before: daysOn(facts, 7) }
      return sorted((await rows(agent, 'list_containers', { filters }, 'number')).map(({ number }) => number))
    },
    truth: (facts) =>
      sorted(
        facts.containers
          .filter((box) => isWaiting(box.attributes) && portOf(facts, box) === busiestPort(facts))
          .filter(({ attributes }) => (earliest(attributes) ?? '9999') <= daysOn(facts, 7))
          .map(({ attributes }) => attributes['number']),
      ),
  },
  {
    asks: 'And of how many there is the last free day unknown?',
    play: async (agent, facts) => {
      const filters = { pod: busiestPort(facts), status: waiting, lfd_before: daysOn(facts, 7) }
      const all = agent.withStopped('list_containers')
      const answer = await agent.ask('list_containers', { filters, page_size: 1, ...all })
      return list(answer, 'unknown')[0]?.['count'] ?? 0
    },
    truth: (facts) =>
      facts.containers.filter(
        (box) =>
          isWaiting(box.attributes) && portOf(facts, box) === busiestPort(facts) && earliest(box.attributes) === null,
      ).length,
  },
  {
    asks: 'The five containers whose last free day comes first, of those that wait?',
    play: async (agent) => {
      const args = { filters: { status: waiting } }
      const found = agent.offers('list_containers', 'sort')
        ? await rows(agent, 'list_containers', { ...args, sort: 'pickup_lfd' }, 'number, pickupLfd', 5)
        : await agent.rows('list_containers', args)
      return found
        .flatMap(({ pickupLfd }) => pickupLfd ?? [])
        .toSorted()
        .slice(0, 5)
    },
    truth: (facts) =>
      facts.containers
        .filter(({ attributes }) => isWaiting(attributes))
        .flatMap(
          ({ attributes: a }) => dayAt(a['pickup_lfd'], a['final_destination_timezone'] ?? a['pod_timezone']) ?? [],
        )
        .toSorted()
        .slice(0, 5),
  },
  {
    asks: 'Which containers are held?',
    play: async (agent) =>
      sorted((await rows(agent, 'list_containers', { filters: { held: true } }, 'number')).map(({ number }) => number)),
    truth: (facts) =>
      sorted(
        facts.containers
          .filter(({ attributes }) => (attributes['holds_at_pod_terminal'] as []).length > 0)
          .map(({ attributes }) => attributes['number']),
      ),
  },
  {
    asks: 'What arrives in the next ten days, and when?',
    play: async (agent, facts) => {
      const filters = { eta_after: daysOn(facts, 0), eta_before: daysOn(facts, 10) }
      const found = await rows(agent, 'list_shipments', { filters }, 'billOfLading, podEta')
      return sorted(found.map(({ billOfLading, podEta }) => `${billOfLading} ${String(podEta).slice(0, 10)}`))
    },
    truth: (facts) =>
      sorted(
        facts.shipments
          .filter(({ attributes: a }) => {
            const day = dayAt(a['pod_eta_at'], a['pod_timezone'])
            return day !== null && day >= daysOn(facts, 0) && day <= daysOn(facts, 10)
          })
          .map(({ attributes: a }) => `${a['bill_of_lading_number']} ${dayAt(a['pod_eta_at'], a['pod_timezone'])}`),
      ),
  },
  {
    asks: 'Which shipments come with this ship (by its name)?',
    play: async (agent, facts) => {
      const name = busiestShip(facts)
      if (agent.filtersBy('list_shipments', 'vessel'))
        return sorted(
          (await rows(agent, 'list_shipments', { filters: { vessel: name } }, 'billOfLading')).map(
            (row) => row['billOfLading'],
          ),
        )
      const found: unknown[] = []
      for (const row of await agent.rows('list_shipments')) {
        const details = await agent.ask('get_shipment_details', { id: row['id'], include_containers: false })
        const ship = part(details, 'vessel_at_pod')
        if ([ship['name'], ship['listed_name']].some((each) => String(each).replace(/[⟦⟧]/g, '') === name))
          found.push(row['billOfLading'])
      }
      return sorted(found)
    },
    truth: (facts) =>
      sorted(
        facts.shipments
          .filter(({ attributes: a }) => a['pod_vessel_name'] === busiestShip(facts))
          .map(({ attributes: a }) => a['bill_of_lading_number']),
      ),
  },
  {
    asks: 'How many containers go to the busiest port? (its name mistyped)',
    play: async (agent, facts) => {
      const name = busiestPort(facts)
      const typed = `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`
      const all = agent.withStopped('list_containers')
      const answer = await agent.ask('list_containers', { filters: { pod: typed }, page_size: 1, ...all })
      return part(answer, 'meta')['total']
    },
    truth: (facts) => facts.containers.filter((box) => portOf(facts, box) === busiestPort(facts)).length,
  },
  {
    asks: 'A table of all containers: number, status, last free day',
    play: async (agent) =>
      sorted(
        (await rows(agent, 'list_containers', {}, 'number, status, earliestLfd')).map(
          (row) => `${row['number']} ${row['status']} ${row['earliestLfd']}`,
        ),
      ),
    truth: (facts) =>
      sorted(facts.containers.map(({ attributes: a }) => `${a['number']} ${a['current_status']} ${earliest(a)}`)),
  },
  {
    asks: 'By how many hours is this bill later than first told?',
    play: async (agent, facts) => {
      const late = facts.shipment((_, each) => Math.abs(lateBy(each) ?? 0) >= 2)
      const bill = String(late.attributes['bill_of_lading_number'])
      const id = await agent.idOf('get_shipment_details', bill, 'shipments')
      const details = await agent.ask('get_shipment_details', { id })
      const port = part(part(details, 'routing'), 'port_of_discharge')
      if (details['delay'] !== undefined) return part(details, 'delay')['slip_hours']
      const [box] = list(part(details, 'containers'), 'containers')
      const { raw_events } = await agent.ask('get_container_raw_events', { id: box?.['id'] })
      const told = (raw_events as readonly Json[]).filter(
        (e) =>
          e['code'] === 'ARRI' && e['classifier'] !== 'ACT' && part(e, 'place')['code'] === part(port, 'place')['code'],
      )
      const first = told.toSorted((a, b) => (String(a['read_at']) < String(b['read_at']) ? -1 : 1))[0]
      return hoursBetween(first?.['time'], port['ata_local'] ?? port['eta_local'])
    },
    truth: (facts) => lateBy(facts.shipment((_, each) => Math.abs(lateBy(each) ?? 0) >= 2)),
  },
  {
    asks: 'The three shipments that are latest against what was first told?',
    play: async (agent) =>
      (await slips(agent))
        .map(([, hours]) => hours)
        .toSorted((a, b) => b - a)
        .slice(0, 3),
    truth: (facts) =>
      facts.shipments
        .flatMap((each) => lateBy(each) ?? [])
        .toSorted((a, b) => b - a)
        .slice(0, 3),
  },
]
