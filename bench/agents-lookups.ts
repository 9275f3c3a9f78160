/** Tasks about one container or shipment. */

import type { Agent, Json } from './agents-client.ts'
import { dayAt, type Facts, instant, sorted } from './agents-facts.ts'
import type { Task } from './agents-tasks.ts'

const openStates = ['available', 'not_available', 'grounded']
const isOpen = ({ current_status }: Json): boolean => openStates.includes(String(current_status))

const sailing = (facts: Facts) =>
  facts.shipment((a) => a['pod_eta_at'] !== null && a['pod_ata_at'] === null && a['pod_vessel_imo'] !== null)
const free = (facts: Facts) =>
  facts.box(
    (a) =>
      isOpen(a) &&
      a['pickup_lfd'] !== null &&
      a['pod_rail_loaded_at'] === null &&
      a['final_destination_timezone'] === null,
  )
const held = (facts: Facts) => facts.box((a) => isOpen(a) && (a['holds_at_pod_terminal'] as []).length > 0)
const charged = (facts: Facts) => facts.box((a) => (a['fees_at_pod_terminal'] as []).length > 0)
const afloat = (facts: Facts) =>
  facts.box((a) => a['current_status'] === 'on_ship' && a['pol_vessel_loaded_at'] !== null)
const labelled = (facts: Facts) => facts.shipment((a) => (a['ref_numbers'] as []).length > 0)

const numberOf = ({ attributes }: { readonly attributes: Json }): string => String(attributes['number'])
const billOf = ({ attributes }: { readonly attributes: Json }): string => String(attributes['bill_of_lading_number'])

async function container(agent: Agent, number: string, more: Json = {}): Promise<Json> {
  return agent.ask('get_container', { id: await agent.idOf('get_container', number), ...more })
}

async function shipment(agent: Agent, bill: string, more: Json = {}): Promise<Json> {
  return agent.ask('get_shipment_details', {
    id: await agent.idOf('get_shipment_details', bill, 'shipments'),
    ...more,
  })
}

const part = (of: Json, name: string): Json => (of[name] ?? {}) as Json
const list = (of: Json, name: string): readonly Json[] => (of[name] ?? []) as readonly Json[]

export const lookups: readonly Task[] = [
  {
    asks: 'How does this container stand?',
    play: async (agent, facts) => (await container(agent, numberOf(afloat(facts))))['status'],
    truth: (facts) => afloat(facts).attributes['current_status'],
  },
  {
    asks: 'On which day does this bill arrive, by the carrier?',
    play: async (agent, facts) => {
      const { routing } = await shipment(agent, billOf(sailing(facts)))
      return String(part(routing as Json, 'port_of_discharge')['eta_local']).slice(0, 10)
    },
    truth: (facts) => dayAt(sailing(facts).attributes['pod_eta_at'], sailing(facts).attributes['pod_timezone']),
  },
  {
    asks: 'Until when is this container free, and who gave the day?',
    play: async (agent, facts) => {
      const { demurrage } = await container(agent, numberOf(free(facts)))
      const days = part(demurrage as Json, 'last_free_days')
      const day = (demurrage as Json)['pickup_lfd']
      return [day, Object.keys(days).filter((by) => days[by] === day)]
    },
    truth: (facts) => {
      const { attributes } = free(facts)
      const deadlines = part(attributes, 'import_deadlines')
      const given = ['terminal', 'rail', 'line'].filter(
        (by) => deadlines[`pickup_lfd_${by}`] === attributes['pickup_lfd'],
      )
      return [dayAt(attributes['pickup_lfd'], attributes['pod_timezone']), given]
    },
  },
  {
    asks: 'What holds this container?',
    play: async (agent, facts) =>
      sorted(list(part(await container(agent, numberOf(held(facts))), 'demurrage'), 'holds').map(({ name }) => name)),
    truth: (facts) =>
      sorted((held(facts).attributes['holds_at_pod_terminal'] as readonly Json[]).map((h) => h['name'])),
  },
  {
    asks: 'What is to be paid at the terminal for this container?',
    play: async (agent, facts) =>
      list(part(await container(agent, numberOf(charged(facts))), 'demurrage'), 'fees').map(({ type, amount }) => [
        type,
        amount,
      ]),
    truth: (facts) =>
      (charged(facts).attributes['fees_at_pod_terminal'] as readonly Json[]).map(({ type, amount }) => [type, amount]),
  },
  {
    asks: 'By which ports does this container go?',
    play: async (agent, facts) => {
      const id = await agent.idOf('get_container_route', numberOf(afloat(facts)))
      return list(await agent.ask('get_container_route', { id }), 'route_locations').map(
        (at) => part(at, 'port')['code'],
      )
    },
    truth: async (facts) => {
      const answer = await facts.world.get(`/v2/containers/${afloat(facts).id}/route?include=route_locations.location`)
      const stops = (answer.body.included ?? []).filter(({ type }) => type === 'route_location')
      const places = new Map(
        (answer.body.included ?? []).map((each) => [each.id, each.attributes['code'] ?? each.attributes['locode']]),
      )
      const order = (answer.one().relationships?.['route_locations']?.data ?? []) as readonly {
        readonly id: string
      }[]
      return order.map(({ id }) => {
        const at = stops.find((each) => each.id === id)?.relationships?.['location']?.data as {
          readonly id: string
        } | null
        return places.get(at?.id ?? '')
      })
    },
  },
  {
    asks: 'When was this container loaded on the ship?',
    play: async (agent, facts) => {
      const id = await agent.idOf('get_container_transport_events', numberOf(afloat(facts)))
      return instant(part(await agent.ask('get_container_transport_events', { id }), 'milestones')['vessel_loaded_at'])
    },
    truth: (facts) => instant(afloat(facts).attributes['pol_vessel_loaded_at']),
  },
  {
    asks: 'Which bill has this reference?',
    play: async (agent, facts) => {
      const [reference] = labelled(facts).attributes['ref_numbers'] as readonly string[]
      const found = await agent.ask('search_container', { query: reference })
      return list(found, 'shipments').map((each) => each['bill_of_lading'])
    },
    truth: (facts) => [billOf(labelled(facts))],
  },
  {
    asks: 'Where is this container? (with a typing mistake in its number)',
    play: async (agent, facts) => {
      const number = numberOf(free(facts))
      const typed = `${number.slice(0, 10)}${(Number(number.at(10)) + 3) % 10}`
      const found = await agent.ask('search_container', { query: typed })
      const right = /[A-Z]{4}\d{7}/g
      const meant = (String(found['message']).match(right) ?? []).filter((each) => each !== typed).at(-1)
      return meant === undefined ? null : (await container(agent, meant))['status']
    },
    truth: (facts) => free(facts).attributes['current_status'],
  },
  {
    asks: 'Which containers are on this bill, and how do they stand?',
    play: async (agent, facts) =>
      sorted(
        list(part(await shipment(agent, billOf(sailing(facts))), 'containers'), 'containers').map(
          (c) => `${c['number']} ${c['status']}`,
        ),
      ),
    truth: (facts) =>
      sorted(
        facts.containers
          .filter((each) => facts.shipmentOf(each).id === sailing(facts).id)
          .map(({ attributes }) => `${attributes['number']} ${attributes['current_status']}`),
      ),
  },
  {
    asks: 'How do these twelve containers stand?',
    play: async (agent, facts) => {
      const numbers = facts.containers.slice(0, 12).map(numberOf)
      if (agent.offers('list_containers', 'fields')) {
        const rows = await agent.rows('list_containers', {
          filters: { number: numbers.join(', ') },
          fields: 'number, status',
        })
        return sorted(rows.map(({ number, status }) => `${number} ${status}`))
      }
      const rows: Json[] = []
      for (const number of new Set(numbers))
        rows.push(...(await agent.rows('list_containers', { filters: { number } })))
      return sorted(rows.map(({ number, status }) => `${number} ${status}`))
    },
    truth: (facts) => {
      const numbers = facts.containers.slice(0, 12).map(numberOf)
      return sorted(
        facts.containers
          .filter((each) => numbers.includes(numberOf(each)))
          .map(({ attributes }) => `${attributes['number']} ${attributes['current_status']}`),
      )
    },
  },
]
