/** Tasks about requests and webhooks: to track, to correct, to find out why something failed, and to send again. */

import type { Agent, Json } from './agents-client.ts'
import { counted, type Facts, sorted } from './agents-facts.ts'
import type { Task } from './agents-tasks.ts'

const list = (of: Json, name: string): readonly Json[] => (of[name] ?? []) as readonly Json[]
const failed = ({ attributes }: Facts['requests'][number]): boolean => attributes['status'] === 'failed'
const exhausted = (facts: Facts) =>
  facts.requests.find((each) => failed(each) && each.attributes['failed_reason'] === 'retries_exhausted')

async function notifications(facts: Facts): Promise<readonly string[]> {
  const all = await facts.world.all('webhook_notifications')
  return all.map(({ attributes }) => String(attributes['delivery_status']))
}

/** A number of the world and the line that it is not of. */
const wrongly = (facts: Facts) => {
  const right = facts.world.untracked.find(({ scac, number }) => scac !== 'MAEU' && !/^[A-Z]{4}\d{7}$/.test(number))
  if (right === undefined) throw new Error('no number is left')
  return right
}

async function track(agent: Agent, numbers: readonly string[]): Promise<number> {
  if (agent.offers('track_numbers')) {
    const { items } = await agent.ask('track_numbers', { numbers })
    return (items as readonly Json[]).filter(({ outcome }) => outcome === 'requested' || outcome === 'tracked').length
  }
  let made = 0
  for (const number of numbers) {
    const answer = await agent.ask('track_container', { number })
    // Where the line is not certain, a user would have to choose among the candidates.
    if (answer['tracking_request_created'] === true || answer['id'] !== undefined) made += 1
  }
  return made
}

export const acts: readonly Task[] = [
  {
    asks: 'Track these eighteen numbers; I do not know the lines',
    play: (agent, facts) =>
      track(
        agent,
        facts.world.untracked
          .filter((each) => each !== wrongly(facts))
          .slice(0, 18)
          .map(({ number }) => number),
      ),
    truth: async (facts) => {
      const asked = facts.world.untracked.filter((each) => each !== wrongly(facts)).slice(0, 18)
      return asked.length
    },
  },
  {
    asks: 'Track this bill with Maersk … no, it is of another line',
    play: async (agent, facts) => {
      const { number, scac } = wrongly(facts)
      const first = await agent.ask('track_container', {
        number,
        numberType: 'bill_of_lading',
        scac: 'MAEU',
        refNumbers: ['PO 9 Z'],
      })
      const id = (first['tracking_request'] as Json)['id']
      if (agent.offers('correct_tracking_request')) await agent.ask('correct_tracking_request', { id, scac })
      else
        await agent.ask('track_container', {
          number,
          numberType: 'bill_of_lading',
          scac,
          refNumbers: ['PO 9 Z'],
        })
      const { items } = await agent.ask('list_tracking_requests', { filters: { request_number: number } })
      return sorted((items as readonly Json[]).map((each) => `${each['scac']} ${each['status']} ${each['refNumbers']}`))
    },
    truth: async (facts) => {
      const { number, scac } = wrongly(facts)
      const made = await facts.world.all('tracking_requests', `&filter[request_number]=${number}`)
      const isRight = made.some(({ attributes: a }) => a['scac'] === scac && String(a['ref_numbers']) === 'PO 9 Z')
      return isRight ? sorted(made.map(({ attributes: a }) => `${a['scac']} ${a['status']} ${a['ref_numbers']}`)) : null
    },
  },
  {
    asks: 'Why is this number not tracked, how often was it tried, and what is to be done?',
    play: async (agent, facts) => {
      const number = exhausted(facts)?.attributes['request_number']
      const why = agent.offers('list_tracking_requests', 'why')
      const { items } = await agent.ask('list_tracking_requests', {
        filters: { request_number: number },
        ...(why ? { why: true } : {}),
      })
      const [row] = items as readonly Json[]
      const told = row?.['why'] as Json | undefined
      return [
        row?.['failedReason'],
        told?.['attempts'] ?? row?.['retryCount'] ?? null,
        told === undefined ? false : told['what_to_do'] !== '',
      ]
    },
    truth: async (facts) => {
      const request = exhausted(facts)
      const { body } = await facts.world.get(`/v2/tracking_requests/${request?.id}/attempts`)
      return [request?.attributes['failed_reason'], body.meta?.['total'], true]
    },
  },
  {
    asks: 'How many requests failed, by reason?',
    play: async (agent) => {
      if (agent.offers('list_tracking_requests', 'count_by')) {
        const { counts } = await agent.ask('list_tracking_requests', {
          status: 'failed',
          count_by: 'failed_reason',
        })
        return Object.fromEntries((counts as readonly Json[]).map(({ value, count }) => [value, count]))
      }
      return counted(
        (await agent.rows('list_tracking_requests', { status: 'failed' })).map((row) => row['failedReason']),
      )
    },
    truth: async (facts) =>
      counted(
        (await facts.world.all('tracking_requests', '&filter[status]=failed')).map(
          ({ attributes }) => attributes['failed_reason'],
        ),
      ),
  },
  {
    asks: 'Is the receiver of our webhook well? How many notifications wait or were given up?',
    play: async (agent) => {
      if (agent.offers('webhook_health')) {
        const { webhooks } = await agent.ask('webhook_health')
        const [hook] = webhooks as readonly Json[]
        return [Number(hook?.['failed']) + Number(hook?.['pending']), hook?.['lastStatusCode']]
      }
      const rows = await agent.rows('list_webhook_failures')
      return [rows.length, rows[0]?.['lastStatusCode'] ?? null]
    },
    truth: async (facts) => [(await notifications(facts)).filter((each) => each !== 'succeeded').length, 500],
  },
  {
    asks: 'Send again what the receiver refused',
    play: async (agent) => {
      if (!agent.offers('redeliver')) return null
      const { webhooks } = await agent.ask('webhook_health')
      const [hook] = webhooks as readonly Json[]
      const { queued } = await agent.ask('redeliver', { webhook_id: hook?.['id'] })
      return Number(queued) > 0
    },
    truth: () => true,
  },
  {
    asks: 'Stop the tracking of the shipment of this container',
    play: async (agent, facts) => {
      const box = facts.box((a) => a['current_status'] === 'picked_up')
      const number = String(box.attributes['number'])
      if (agent.takesNumbers('stop_tracking')) return (await agent.ask('stop_tracking', { id: number }))['is_tracked']
      const found = await agent.ask('search_container', { query: number })
      const id = list(found, 'containers')[0]?.['shipment_id']
      return (await agent.ask('stop_tracking', { id }))['is_tracked']
    },
    truth: async (facts) => {
      const { id } = facts.shipmentOf(facts.box((a) => a['current_status'] === 'picked_up'))
      return (await facts.world.get(`/v2/shipments/${id}`)).one().attributes['line_tracking_stopped_at'] === null
    },
  },
]
