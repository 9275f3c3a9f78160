/** What events cost beside sixty parts, compared with the same events in one table, and how long a part takes to go. */

import { addDays } from '../src/core/values/time.ts'
import { realClock } from '../src/platform/clock.ts'
import { uuidV7 } from '../src/platform/ids.ts'
import type { Context } from '../src/service/context.ts'
import { dropParts } from '../src/service/ground/keep-parts.ts'
import { listEvents } from '../src/service/telling/events/list-events.ts'
import { numberEvents } from '../src/service/telling/events/number-events.ts'
import { insertEvents } from '../src/store/journeys/domain-events.ts'
import { readEventsOfAccounts } from '../src/store/read/domain-events.ts'
import { monthsUntil, passEventMonths } from '../test/support/event-months.ts'
import { type Installation, openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, spread } from './measure.ts'

const months = 60
const rowsOfMonth = 5_000
const shipmentsOfMonth = 250
const rounds = 9
const goneRows = 200_000

interface Side {
  readonly installation: Installation
  readonly context: Context
}
type Measured = Omit<Figure, 'bench' | 'postgres'>

export async function benchEvents(): Promise<readonly Figure[]> {
  progress(`events: ${months} months of ${rowsOfMonth} events, and the same in one table`)
  const [parted, plain] = [await open(true), await open(false)]
  const { postgres } = parted.installation
  try {
    const figures: Measured[] = [
      await compare(parted, plain, ingest, {
        what: 'Events written and numbered',
        unit: 'events/s',
        least: 0.7,
        note: 'ten in a transaction, a fifth of them arrivals, 100 numbered at once',
      }),
      await compare(parted, plain, readNewest, {
        what: 'Pages of the newest 100 events read from the feed',
        unit: 'pages/s',
        least: 0.8,
        note: '200 reads a round, after a number in the newest month',
      }),
      await compare(parted, plain, readAll, {
        what: 'Events of the feed read from the first, in pages of 1,000',
        unit: 'events/s',
        least: 0.8,
        note: 'all of them each round',
      }),
      await compare(parted, plain, readToTell, {
        what: 'Events read for their deliveries, ten at once',
        unit: 'events/s',
        least: 0.4,
        note: '100 reads a round, of the newest month',
      }),
      await compare(parted, plain, readShipments, {
        what: 'Events of a shipment read from the feed, shipments of all months',
        unit: 'shipments/s',
        least: 0.3,
        note: '200 shipments a round',
      }),
      await drop(parted),
    ]
    return figures.map((figure) => ({ bench: 'events', ...figure, postgres }))
  } finally {
    await parted.installation.close()
    await plain.installation.close()
  }
}

/** The table as it was before it had parts. */
const oneTable = `alter table events detach partition events_before;
  alter table events rename to events_parted;
  alter table events_before rename to events;
  alter table events alter ordinal add generated always as identity (start with 1000);
  create trigger told_arrival_numbered after update of sequence on events for each row
    when (new.sequence is not null and old.sequence is null and new.shipment_id is not null
          and new.name = 'shipment.estimated.arrival')
    execute function note_told_arrival()`

async function open(isParted: boolean): Promise<Side> {
  const installation = await openInstallation()
  const context = await installation.newAccount()
  const { pool } = installation.service
  const side = { installation, context }
  if (!isParted) await pool.query(oneTable)
  const all = monthsUntil(new Date(realClock.now()).toISOString(), months)
  if (isParted) await passEventMonths(pool, all, (month) => fill(side, month, rowsOfMonth))
  else for (const month of all) await fill(side, month, rowsOfMonth)
  await pool.query('vacuum analyze')
  return side
}

/** Shipments of the month, each with its events. */
async function fill(
  { installation: { service }, context }: Side,
  month: string,
  rows: number,
): Promise<void> {
  const { rows: shipments } = await service.pool.query<{ id: string }>(
    `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at, updated_at)
     select $1, gen_random_uuid(), 'TEST', $2 || n, $2 || n, '{}', $3::timestamptz, $3::timestamptz from generate_series(1, $4::int) n
     returning id`,
    [context.account.id, month, `${month}T00:00:00Z`, shipmentsOfMonth],
  )
  await service.pool.query(
    `insert into events (account_id, id, name, reference_type, reference_id, shipment_id, payload, created_at)
     select $1, gen_random_uuid(), 'container.transport.vessel_arrived', 'transport_event', gen_random_uuid(),
            ($2::uuid[])[1 + n % $3::int], '{"timestamp": "2026-01-01T00:00:00Z", "timezone": "Europe/Berlin"}',
            $4::timestamptz + n * interval '1 minute'
       from generate_series(1, $5::int) n order by n`,
    [context.account.id, shipments.map(({ id }) => id), shipmentsOfMonth, `${month}T00:00:00Z`, rows],
  )
  await numberEvents(service)
}

async function compare(
  parted: Side,
  plain: Side,
  round: (side: Side) => Promise<number>,
  of: { readonly what: string; readonly unit: string; readonly least: number; readonly note: string },
): Promise<Measured> {
  const sides = await alternate(rounds, { ours: () => round(parted), limit: () => round(plain) })
  const ratio = medianRatio(sides)
  return {
    what: `${of.what}, beside ${months} months of events`,
    unit: of.unit,
    figure: median(sides.ours),
    limit: { what: 'with the same rows in one table', value: median(sides.limit) },
    ratio,
    aim: `at least ${of.least} of one table`,
    isMet: ratio >= of.least,
    note: `${rounds} rounds in turn, ${spread(sides.ours)}; ${of.note}`,
  }
}

async function ingest({ installation: { service }, context }: Side): Promise<number> {
  const accountId = context.account.id
  const { rows } = await service.pool.query<{ id: string }>(
    `select id from shipments where account_id = $1 order by created_at desc, id limit 20`,
    [accountId],
  )
  const startedMs = performance.now()
  let written = 0
  for (let turn = 0; turn < 10; turn += 1) {
    for (let each = 0; each < 10; each += 1) {
      const at = new Date(realClock.now()).toISOString()
      const shipmentId = rows[(turn * 10 + each) % rows.length]?.id ?? null
      const events = Array.from({ length: 10 }, (_, place) => ({
        id: uuidV7(realClock.now()),
        name: place % 5 === 0 ? 'shipment.estimated.arrival' : 'container.transport.vessel_arrived',
        referenceType: 'transport_event' as const,
        referenceId: uuidV7(realClock.now()),
        trackingRequestId: null,
        shipmentId,
        containerId: null,
        payload: { estimated_timestamp: at, location_locode: 'USLAX', vessel_imo: '9300000' },
      }))
      await insertEvents(service.pool, { accountId, events, at })
      written += events.length
    }
    await numberEvents(service)
  }
  return (written * 1_000) / (performance.now() - startedMs)
}

const everything = { names: null, shipmentId: null, containerId: null, trackingRequestId: null }

async function readNewest({ installation: { service }, context }: Side): Promise<number> {
  const last = await lastOf(service, context)
  const startedMs = performance.now()
  for (let each = 0; each < 200; each += 1) {
    const { events } = await listEvents(service, context, {
      after: last - 100 - each,
      limit: 100,
      filter: everything,
    })
    if (events.length !== 100) throw new Error('a page is short')
  }
  return 200_000 / (performance.now() - startedMs)
}

async function lastOf(service: Installation['service'], context: Context): Promise<number> {
  const { lastSequence } = await listEvents(service, context, { after: 0, limit: 1, filter: everything })
  return lastSequence
}

async function readAll({ installation: { service }, context }: Side): Promise<number> {
  const startedMs = performance.now()
  let after = 0
  for (;;) {
    const found = await listEvents(service, context, { after, limit: 1_000, filter: everything })
    const numbers = found.events.map(({ sequence }) => sequence)
    if (numbers.some((number, place) => number !== after + 1 + place)) throw new Error('a gap or a double')
    if (numbers.length === 0) break
    after = found.examined
  }
  return (after * 1_000) / (performance.now() - startedMs)
}

async function readToTell({ installation: { service }, context }: Side): Promise<number> {
  const accountId = context.account.id
  const last = await lastOf(service, context)
  const { events } = await listEvents(service, context, {
    after: last - 1_000,
    limit: 1_000,
    filter: everything,
  })
  const startedMs = performance.now()
  for (let each = 0; each < 100; each += 1) {
    const keys = events
      .slice(each * 10, each * 10 + 10)
      .map(({ id, sequence }) => ({ accountId, id, sequence }))
    if ((await readEventsOfAccounts(service.pool, keys)).length !== 10) throw new Error('an event is missing')
  }
  return 1_000_000 / (performance.now() - startedMs)
}

async function readShipments({ installation: { service }, context }: Side): Promise<number> {
  const { rows } = await service.pool.query<{ id: string }>(
    `select id from shipments where account_id = $1 order by md5(id::text) limit 200`,
    [context.account.id],
  )
  const startedMs = performance.now()
  for (const { id } of rows) {
    const filter = { ...everything, shipmentId: id }
    const { events } = await listEvents(service, context, { after: 0, limit: 100, filter })
    if (events.length < rowsOfMonth / shipmentsOfMonth) throw new Error('events of a shipment are missing')
  }
  return 200_000 / (performance.now() - startedMs)
}

/** The oldest part, grown by many rows, goes while others write, number and read. */
async function drop(side: Side): Promise<Measured> {
  const { service } = side.installation
  const { pool } = service
  await pool.query(
    `insert into events_before (account_id, id, ordinal, sequence, name, reference_type, reference_id, payload, created_at)
     select $1, gen_random_uuid(), n, -n, 'x', 'transport_event', gen_random_uuid(), '{}', $2
       from generate_series(1, $3::int) n`,
    [side.context.account.id, '2020-01-01T00:00:00Z', goneRows],
  )
  let isOver = false
  const waited: number[] = []
  const load = async (): Promise<void> => {
    while (!isOver) {
      const startedMs = performance.now()
      await ingest(side)
      waited.push((performance.now() - startedMs) / 100)
    }
  }
  const running = load()
  const startedMs = performance.now()
  const now = new Date(realClock.now()).toISOString()
  const dropped = await dropParts(service, { table: 'events', before: addDays(now, -30 * (months - 1)) })
  const tookMs = performance.now() - startedMs
  isOver = true
  await running
  if (dropped.length === 0) throw new Error('no month was dropped')
  return {
    what: `A month of ${goneRows.toLocaleString('en-US')} events dropped beside writing and numbering`,
    unit: 'ms',
    figure: tookMs,
    limit: null,
    ratio: null,
    aim: 'less than 1,000 ms',
    isMet: tookMs < 1_000,
    note: `${dropped.length} dropped; ten events were written in ${Math.round(Math.max(...waited))} ms meanwhile`,
  }
}
