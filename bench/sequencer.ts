/** How fast events get their numbers: those of one account, and one each of many accounts. */

import { numberEvents } from '../src/pipeline/event-sequence/number-events.ts'
import { insertEvents } from '../src/pipeline/projection/domain-events-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../src/platform/ids.ts'
import { type Installation, openInstallation } from './installation.ts'
import { journeysStartAt } from './journeys.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 7
const eventsPerEntry = 5
const at = new Date(journeysStartAt).toISOString()

/** `accounts`: how many have as many events each. */
const cases = [
  { accounts: 1, eventsEach: 6_000, what: 'Events of one account numbered, without gaps and in order' },
  { accounts: 1_000, eventsEach: 1, what: 'Events of a thousand accounts numbered, one each' },
] as const

export async function benchSequencer(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  try {
    await installation.service.pool.query('create table bench_events (like events including all)')
    const figures: Figure[] = []
    for (const each of cases) figures.push(await measure(installation, each))
    return figures
  } finally {
    await installation.close()
  }
}

async function measure(
  installation: Installation,
  { accounts: accountsCount, eventsEach, what }: (typeof cases)[number],
): Promise<Figure> {
  const { service } = installation
  const events = accountsCount * eventsEach
  const accounts: string[] = []
  while (accounts.length < accountsCount) accounts.push((await installation.newAccount()).account.id)
  progress(`sequencer: ${events} events of ${accountsCount} accounts a round`)
  const write = async (round: number): Promise<void> => {
    for (const accountId of accounts)
      for (let first = 0; first < eventsEach; first += eventsPerEntry) {
        const places = Array.from({ length: Math.min(eventsPerEntry, eventsEach) }, (_, place) => first + place)
        await insertEvents(service.pool, {
          accountId,
          events: places.map((place) => eventOf(accountId, round, place)),
          at,
        })
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
      if (numbered !== events) throw new Error(`${numbered} events were numbered`)
      return numbered / seconds
    },
    limit: async () => {
      await service.pool.query('truncate bench_events')
      await service.pool.query(
        `insert into bench_events overriding system value
         select account_id, id, ordinal, null, name, reference_type, reference_id, tracking_request_id, shipment_id,
                container_id, payload, created_at
           from events order by ordinal desc limit ${events}`,
      )
      await service.pool.query('vacuum analyze bench_events')
      return events / (await secondsOf(() => service.pool.query('update bench_events set sequence = ordinal')))
    },
  })
  for (const accountId of accounts) await checkNumbers(service.pool, accountId)
  const figure = median(sides.ours)
  return {
    bench: 'sequencer',
    what,
    unit: 'events/s',
    figure,
    limit: { what: 'one plain update of as many rows of the same shape', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'more than 1,000 events/s',
    isMet: figure > 1_000,
    note: `${rounds} rounds of ${events} events; ${spread(sides.ours)} against ${spread(sides.limit)}; nobody subscribed; fsync on`,
    postgres: installation.postgres,
  }
}

function eventOf(
  accountId: string,
  round: number,
  place: number,
): Parameters<typeof insertEvents>[1]['events'][number] {
  const id = uuidV5(LANDFALL_NAMESPACE, `bench:event:${accountId}:${round}:${place}`)
  return {
    id,
    name: 'container.updated',
    referenceId: id,
    trackingRequestId: null,
    shipmentId: uuidV5(LANDFALL_NAMESPACE, `bench:shipment:${accountId}:${Math.floor(place / eventsPerEntry)}`),
    containerId: null,
    payload: { changeset: { weight_in_lbs: [null, place] }, timestamp: at },
  }
}

async function checkNumbers(pool: Parameters<typeof numberEvents>[0]['pool'], accountId: string): Promise<void> {
  const { rows } = await pool.query<{ events: number; last: number; misplaced: number }>(
    `select count(*) as events, max(sequence) as last, count(*) filter (where sequence <> place) as misplaced
       from (select sequence, row_number() over (order by ordinal) as place from events where account_id = $1) e`,
    [accountId],
  )
  const { events, last, misplaced } = rows[0] ?? { events: 0, last: -1, misplaced: -1 }
  if (events !== last || misplaced !== 0) throw new Error('the numbers have gaps or are out of order')
}
