/** How fast the events of one account get their numbers, against one plain update of the same rows. */

import { LANDFALL_NAMESPACE, uuidV5 } from '../src/platform/ids.ts'
import { numberEvents } from '../src/service/telling/events/number-events.ts'
import { insertEvents } from '../src/store/domain-events.ts'
import { openInstallation } from './installation.ts'
import { journeysStartAt } from './journeys.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 7
const eventsPerRound = 6_000
const eventsPerEntry = 5
const at = new Date(journeysStartAt).toISOString()

export async function benchSequencer(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const { service } = installation
  try {
    const { account } = await installation.newAccount()
    await service.pool.query('create table bench_events (like events including all)')
    progress(`sequencer: ${eventsPerRound} events of one account a round`)
    const write = async (round: number): Promise<void> => {
      for (let entry = 0; entry < eventsPerRound / eventsPerEntry; entry += 1) {
        const shipmentId = uuidV5(LANDFALL_NAMESPACE, `bench:shipment:${entry}`)
        const events = Array.from({ length: eventsPerEntry }, (_, place) => ({
          id: uuidV5(LANDFALL_NAMESPACE, `bench:event:${round}:${entry}:${place}`),
          name: 'container.updated',
          referenceType: 'container_updated_event' as const,
          referenceId: uuidV5(LANDFALL_NAMESPACE, `bench:event:${round}:${entry}:${place}`),
          trackingRequestId: null,
          shipmentId,
          containerId: null,
          payload: { changeset: { weight_in_lbs: [null, entry] }, timestamp: at },
        }))
        await insertEvents(service.pool, { accountId: account.id, events, at })
      }
      await service.pool.query('vacuum analyze events')
    }
    await write(-1)
    await numberEvents(service)
    const sides = await alternate(rounds, {
      ours: async (round) => {
        await write(round)
        let numbered = 0
        const seconds = await secondsOf(async () => {
          numbered = await numberEvents(service)
        })
        if (numbered !== eventsPerRound) throw new Error(`${numbered} events were numbered`)
        return numbered / seconds
      },
      limit: async () => {
        await service.pool.query('truncate bench_events')
        await service.pool.query(
          `insert into bench_events overriding system value
           select account_id, id, ordinal, null, name, reference_type, reference_id, tracking_request_id, shipment_id,
                  container_id, payload, created_at
             from events order by ordinal desc limit ${eventsPerRound}`,
        )
        await service.pool.query('vacuum analyze bench_events')
        return (
          eventsPerRound /
          (await secondsOf(() => service.pool.query('update bench_events set sequence = ordinal')))
        )
      },
    })
    await checkNumbers(service.pool, account.id)
    const figure = median(sides.ours)
    return [
      {
        bench: 'sequencer',
        what: 'Events of one account numbered, without gaps and in order',
        unit: 'events/s',
        figure,
        limit: { what: 'one plain update of as many rows of the same shape', value: median(sides.limit) },
        ratio: medianRatio(sides),
        aim: 'more than 1,000 events/s',
        isMet: figure > 1_000,
        note: `${rounds} rounds of ${eventsPerRound} events; ${spread(sides.ours)} against ${spread(sides.limit)}; nobody subscribed; fsync on`,
        postgres: installation.postgres,
      },
    ]
  } finally {
    await installation.close()
  }
}

async function checkNumbers(
  pool: Parameters<typeof numberEvents>[0]['pool'],
  accountId: string,
): Promise<void> {
  const { rows } = await pool.query<{ events: number; last: number; misplaced: number }>(
    `select count(*) as events, max(sequence) as last, count(*) filter (where sequence <> place) as misplaced
       from (select sequence, row_number() over (order by ordinal) as place from events where account_id = $1) e`,
    [accountId],
  )
  const { events, last, misplaced } = rows[0] ?? { events: 0, last: -1, misplaced: -1 }
  if (events !== last || misplaced !== 0) throw new Error('the numbers have gaps or are out of order')
}
