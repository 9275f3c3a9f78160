/** Tasks about what changed, what needs a person, who said so, and what is to be done. */

import type { WireResource } from '../test/support/api.ts'
import type { Agent, Json } from './agents-client.ts'
import { counted, dayAt, type Facts, idIn, instant, sorted } from './agents-facts.ts'
import type { Task } from './agents-tasks.ts'

const hourMs = 3_600_000
const list = (of: Json, name: string): readonly Json[] => (of[name] ?? []) as readonly Json[]
const since = (facts: Facts, hours: number): string => new Date(Date.parse(facts.now) - hours * hourMs).toISOString()
const plain = (text: unknown): string => String(text).replace(/[⟦⟧]/g, '')
const distinct = (values: readonly unknown[]) => sorted([...new Set(values.map(String))])
const numberOf = ({ attributes }: WireResource): string => String(attributes['number'])

/** All events of the account, with what they are about. */
async function events(facts: Facts): Promise<readonly WireResource[]> {
  const all: WireResource[] = []
  for (let after = 0; ; ) {
    const some = (await facts.world.get(`/v2/events?limit=1000&after=${after}`)).many()
    all.push(...some)
    const last = some.at(-1)
    if (last === undefined) return all
    after = Number(last.attributes['sequence'])
  }
}

const recent = async (facts: Facts, hours: number) =>
  (await events(facts)).filter(({ attributes }) => String(attributes['created_at']) >= since(facts, hours))

/** Everything that the server says changed since then. */
async function changes(agent: Agent, args: Json): Promise<readonly Json[]> {
  const all: Json[] = []
  for (let from: unknown = args['since']; ; ) {
    const answer = await agent.ask('what_changed', { ...args, since: from })
    all.push(...list(answer, 'changes'))
    if (answer['has_more'] !== true) return all
    from = answer['cursor']
  }
}

type Changeset = Readonly<Record<string, readonly [unknown, unknown]>>

/** A value as a tool or REST writes it: a time to the second in UTC, anything else as text, as long as tools write it. */
function writtenValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value)) return String(instant(value))
  return plain(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 200)
}

/** A container that was changed in the last days, by the events of REST. */
async function changed(facts: Facts): Promise<WireResource> {
  const ids = new Set((await recent(facts, 48)).map((each) => idIn(each, 'container')))
  return facts.box((_, each) => ids.has(each.id))
}

/** Who said a value, by REST; null when no source did. */
async function provenance(facts: Facts, url: string, value: string): Promise<Json | null> {
  const { body } = await facts.world.get(`${url}?provenance=true`)
  const { meta } = body.data as { readonly meta?: { readonly provenance?: Readonly<Record<string, Json>> } }
  return (meta?.provenance?.[value]?.['said'] ?? null) as Json | null
}

export const changing: readonly Task[] = [
  {
    asks: 'What happened to this container in the last two days?',
    play: async (agent, facts) => {
      const number = numberOf(await changed(facts))
      if (agent.offers('what_changed'))
        return distinct((await changes(agent, { since: since(facts, 48), id: number })).map(({ event }) => event))
      // The timeline has times of events, not of when they became known.
      const { timeline } = await agent.ask('get_container_transport_events', {
        id: await agent.idOf('get_container_transport_events', number),
      })
      return distinct(
        (timeline as readonly Json[])
          .filter((e) => `${instant(e['timestamp'])}` >= since(facts, 48))
          .map((e) => e['event']),
      )
    },
    truth: async (facts) => {
      const { id } = await changed(facts)
      return distinct(
        (await recent(facts, 48))
          .filter((each) => idIn(each, 'container') === id)
          .map(({ attributes }) => attributes['event']),
      )
    },
  },
  {
    asks: 'Which arrivals were announced anew in the last three days, and for when?',
    play: async (agent, facts) => {
      if (agent.offers('what_changed')) {
        const moved = await changes(agent, { since: since(facts, 72), events: 'shipment.estimated.arrival' })
        return sorted(moved.map((each) => `${each['shipmentId']} ${instant(each['after'])}`))
      }
      const found: string[] = []
      for (const row of await agent.rows('list_shipments')) {
        if (row['podEta'] === null) continue
        const ask = { type: 'shipment', id: row['id'], value: 'pod_eta_at' }
        const before = await agent.ask('explain_value', { ...ask, as_of: since(facts, 72) }).catch(() => null)
        const said = (before?.['values'] as readonly Json[] | undefined)?.[0]?.['said'] as Json | null | undefined
        if (instant(said?.['value']) !== instant(row['podEta'])) found.push(`${row['id']} ${instant(row['podEta'])}`)
      }
      return sorted(found)
    },
    truth: async (facts) => {
      const moved = (await recent(facts, 72)).filter(
        ({ attributes }) => attributes['event'] === 'shipment.estimated.arrival',
      )
      const told: string[] = []
      for (const each of moved) {
        const sequence = Number(each.attributes['sequence'])
        const { body } = await facts.world.get(`/v2/events?limit=1&after=${sequence - 1}&include=reference_object`)
        const reference = body.included?.find(({ type }) => type === 'estimated_event')
        told.push(`${idIn(each, 'shipment')} ${instant(reference?.attributes['estimated_timestamp'])}`)
      }
      return sorted(told)
    },
  },
  {
    asks: 'Which containers were picked up at port or ramp in the last four days?',
    play: async (agent, facts) => {
      if (agent.offers('what_changed')) {
        const told = await changes(agent, { since: since(facts, 96), events: 'container.transport.full_out' })
        const late = told.filter(({ after }) => `${instant(after)}` >= since(facts, 96))
        return distinct(late.map(({ number }) => number))
      }
      const found: unknown[] = []
      for (const row of await agent.rows('list_containers', {
        filters: { updated_after: since(facts, 96), status: 'picked up' },
      })) {
        const { location } = await agent.ask('get_container', { id: row['id'] })
        if (`${instant((location as Json)['full_out_at_local'])}` >= since(facts, 96)) found.push(row['number'])
      }
      return sorted(found)
    },
    truth: (facts) => {
      const isLate = (at: unknown): boolean => at !== null && `${instant(at)}` >= since(facts, 96)
      const out = facts.containers.filter(({ attributes: a }) =>
        [a['pod_full_out_at'], a['final_destination_full_out_at']].some(isLate),
      )
      return sorted(out.map(numberOf))
    },
  },
  {
    asks: 'What changed in holds, fees and free days since yesterday: from what to what?',
    play: async (agent, facts) => {
      if (!agent.offers('what_changed')) return null
      const found = await changes(agent, { since: since(facts, 36), events: 'container.updated' })
      return sorted(
        found.map((each) =>
          [each['number'], each['attribute'], writtenValue(each['before']), writtenValue(each['after'])].join(' '),
        ),
      )
    },
    truth: async (facts) => {
      const byId = new Map(facts.containers.map((each) => [each.id, each]))
      const found: string[] = []
      for (const each of (await recent(facts, 36)).filter(
        ({ attributes }) => attributes['event'] === 'container.updated',
      )) {
        const sequence = Number(each.attributes['sequence'])
        const { body } = await facts.world.get(`/v2/events?limit=1&after=${sequence - 1}&include=reference_object`)
        const changeset = body.included?.find(({ type }) => type === 'container_updated_event')?.attributes['changeset']
        const box = byId.get(idIn(each, 'container'))
        for (const [name, [before, after]] of Object.entries((changeset ?? {}) as Changeset))
          if (box !== undefined) found.push([numberOf(box), name, writtenValue(before), writtenValue(after)].join(' '))
      }
      return sorted(found)
    },
  },
  {
    asks: 'What needs me first? (five things)',
    play: async (agent) => {
      const { items } = await agent.ask('attention', agent.offers('attention', 'page_size') ? { page_size: 5 } : {})
      return (items as readonly Json[]).slice(0, 5).map(({ reason, text }) => `${reason} ${plain(text)}`)
    },
    truth: async (facts) =>
      (await facts.world.all('attention_entries'))
        .flatMap(({ attributes }) => attributes['reasons'] as readonly Json[])
        .slice(0, 5)
        .map(({ reason, text }) => `${reason} ${text}`),
  },
  {
    asks: 'How much needs me, by reason?',
    play: async (agent) => {
      if (agent.offers('attention', 'count_by')) {
        const { counts } = await agent.ask('attention', { count_by: 'reason' })
        return Object.fromEntries((counts as readonly Json[]).map(({ value, count }) => [value, count]).toSorted())
      }
      return counted((await agent.rows('attention')).map(({ reason }) => reason))
    },
    truth: async (facts) => counted((await facts.world.all('attention')).map(({ attributes }) => attributes['reason'])),
  },
  {
    asks: 'Which containers wait although free time is over, at which number, and who gave the day?',
    play: async (agent) => {
      const items = await agent.rows('attention', { reason: 'free_time_ended' })
      const told: string[] = []
      for (const item of items) {
        if (typeof item['number'] === 'string') {
          told.push(`${item['number']} ${plain(item['saidBy']).split(' ')[0]}`)
          continue
        }
        const { values } = await agent.ask('explain_value', {
          type: 'container',
          id: item['containerId'],
          value: 'pickup_lfd',
        })
        const { number } = await agent.ask('get_container', { id: item['containerId'] })
        told.push(
          `${number} ${plain(((values as readonly Json[])[0]?.['said'] as Json | null)?.['source']).split(' ')[0]}`,
        )
      }
      return sorted(told)
    },
    truth: async (facts) => {
      const byId = new Map(facts.containers.map((each) => [each.id, numberOf(each)]))
      const items = await facts.world.all('attention', '&filter[reason]=free_time_ended')
      return sorted(
        items.map((item) => `${byId.get(idIn(item, 'container'))} ${(item.attributes['said'] as Json)['kind']}`),
      )
    },
  },
  {
    asks: 'Who says that this bill arrives then, and in which words?',
    play: async (agent, facts) => {
      const bill = facts.shipment((a) => a['pod_eta_at'] !== null && a['pod_ata_at'] === null)
      const id = await agent.idOf('explain_value', String(bill.attributes['bill_of_lading_number']), 'shipments')
      const { values } = await agent.ask('explain_value', { type: 'shipment', id, value: 'pod_eta_at' })
      const { said } = (values as readonly Json[])[0] as { readonly said: Json }
      return [plain(said['source']).split(' ')[0], String(said['value']).slice(0, 10)]
    },
    truth: async (facts) => {
      const bill = facts.shipment((a) => a['pod_eta_at'] !== null && a['pod_ata_at'] === null)
      const said = await provenance(facts, `/v2/shipments/${bill.id}`, 'pod_eta_at')
      return [(said?.['source'] as Json | undefined)?.['kind'], dayAt(said?.['value'], bill.attributes['pod_timezone'])]
    },
  },
  {
    asks: 'Quote the words for status and last free day of this container',
    play: async (agent, facts) => {
      const number = numberOf(facts.box((a) => a['pickup_lfd'] !== null && a['pod_full_out_at'] === null))
      const values = ['current_status', 'pickup_lfd']
      if (agent.offers('get_container', 'cite')) {
        const { citations } = await agent.ask('get_container', { id: number, cite: true })
        return sorted(
          (citations as readonly Json[]).flatMap(({ value, claim }) =>
            values.includes(String(value)) ? [`${value} ${claim}`] : [],
          ),
        )
      }
      const id = await agent.idOf('explain_value', number)
      const told: string[] = []
      for (const value of values) {
        const answer = await agent.ask('explain_value', { type: 'container', id, value })
        const said = (answer['values'] as readonly Json[])[0]?.['said'] as Json | null
        told.push(`${value} ${said?.['claim'] ?? null}`)
      }
      return sorted(told)
    },
    truth: async (facts) => {
      const { id } = facts.box((a) => a['pickup_lfd'] !== null && a['pod_full_out_at'] === null)
      const told: string[] = []
      for (const value of ['current_status', 'pickup_lfd']) {
        const said = await provenance(facts, `/v2/containers/${id}`, value)
        // What no source stated has no words to quote.
        if (said !== null && said !== undefined) told.push(`${value} ${said['claim_id']}`)
      }
      return sorted(told)
    },
  },
]
