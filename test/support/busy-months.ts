/**
 * Months of a busy installation in a few seconds: two accounts of which one shares the other's subjects, a third
 * account of fiction, lines of three kinds, faults, and users who edit, deliver, stop and resume while the workers are
 * running.
 */

import type { RequestType } from '../../src/domain/tracking-requests/tracking-request-state.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { updateContainer } from '../../src/modules/containers/update-container.ts'
import { ServiceError } from '../../src/modules/errors.ts'
import { resumeTracking } from '../../src/modules/shipments/resume-tracking.ts'
import { stopTracking } from '../../src/modules/shipments/stop-tracking.ts'
import { updateShipment } from '../../src/modules/shipments/update-shipment.ts'
import { requestTracking } from '../../src/modules/tracking-requests/request-tracking.ts'
import { updateTrackingRequest } from '../../src/modules/tracking-requests/update-tracking-request.ts'
import { drainWorkers } from '../../src/server/workers.ts'
import { type Answer, type Carrier, openCarrier } from './carrier.ts'
import { type JourneyPlan, openChance, planJourney } from './journeys.ts'
import { giveAccess, openTestService, type TestService } from './service.ts'

export interface BusyMonths {
  readonly world: TestService
  readonly accounts: readonly Context[]
  readonly snapshots: number
  readonly close: () => Promise<void>
}

const dayMs = 86_400_000
const startAt = '2026-01-01T00:00:00Z'
const daysPerLook = 2
/** One line that sends only news, one that always sends everything, one whose weights are averages. */
const lines = [
  { scac: 'MAEU', changes: {} },
  { scac: 'ONEY', changes: { isFullPicture: true } },
  { scac: 'YMLU', changes: { hasDayOnlyTimes: true, zoneFallback: 'place' } },
] as const

/**
 * `journeys`: how many journeys; each brings some 25 snapshots. `looks`: stops after so many looks, with everything
 * under way.
 */
export async function liveBusyMonths(options: {
  readonly journeys: number
  readonly seed: number
  readonly looks?: number
  readonly progress?: (done: { readonly look: number; readonly of: number }) => void
}): Promise<BusyMonths> {
  const world = await openTestService({ startAt, env: { LANDFALL_WORKERS: '6' } })
  const carrier = await openCarrier()
  const close = async (): Promise<void> => {
    await carrier.close()
    await world.close()
  }
  try {
    return await live(world, carrier, options, close)
  } catch (error) {
    // Whatever fails here, nothing may be left running.
    await close()
    throw error
  }
}

async function live(
  world: TestService,
  carrier: Carrier,
  options: Parameters<typeof liveBusyMonths>[0],
  close: () => Promise<void>,
): Promise<BusyMonths> {
  for (const isSandbox of [false, true]) {
    await giveAccess(world, { scac: 'TEST', profile: {}, source: 'test', isSandbox })
    for (const { scac, changes } of lines) {
      const profile = carrier.profile(scac, { ...changes, concurrency: 12 })
      await giveAccess(world, { scac, profile, isSandbox })
    }
  }
  const [first, second] = [await world.newAccount(), await world.newAccount()]
  const fiction = await world.newAccount({ isSandbox: true })
  const accounts = [first, second, fiction]
  const plans = Array.from({ length: options.journeys }, (_, index) =>
    planJourney({
      seed: options.seed + index,
      scac: lines[index % lines.length]?.scac ?? 'MAEU',
      startAt: Date.parse(startAt) + (index % 8) * dayMs,
      daysPerLook,
    }),
  )
  const chance = openChance(options.seed)
  const ask = askers(world, chance)
  for (const [index, plan] of plans.entries()) {
    await ask(index % 5 === 4 ? fiction : first, 'bill_of_lading', plan)
    if (index % 3 === 0) await ask(second, 'bill_of_lading', plan)
    // The same box and booking are requested too. They join the shipment of the bill, in whatever order the answers
    // come.
    if (index % 4 === 0) await ask(index % 5 === 4 ? fiction : first, 'container', plan)
    if (index % 6 === 0) await ask(first, 'booking_number', plan)
  }
  for (const account of accounts) {
    for (const requestNumber of ['TEST-TR-SUCCEEDED', 'TEST-TR-SUCCEEDED', 'TEST-TR-FAILED']) {
      const rest = { requestType: 'bill_of_lading', scac: 'TEST', refNumbers: [], shipmentTags: [] } as const
      await requestTracking(world.service, account, { ...rest, requestNumber })
    }
  }
  const looks = options.looks ?? Math.max(...plans.map((plan) => plan.looks)) + 2
  for (let look = 0; look < looks; look += 1) {
    for (const plan of plans) answerAll(carrier, plan, answerOf(plan, look, chance))
    // Users do not wait for the workers, nor the workers for them.
    await Promise.all([work(world), actAsUsers(world, accounts, chance, Math.ceil(options.journeys / 6))])
    await work(world)
    world.clock.advance(daysPerLook * dayMs)
    // The throwaway cluster has no autovacuum, so without this it would go on using plans for tiny tables.
    if (look % 6 === 1) await world.service.pool.query('analyze')
    options.progress?.({ look: look + 1, of: looks })
  }
  // Debounces and ends of tracking: their windows end although no source says anything.
  for (let days = 0; days < 75 && options.looks === undefined; days += 15) {
    world.clock.advance(15 * dayMs)
    await work(world)
  }
  await work(world)
  const { rows } = await world.service.pool.query<{ n: number }>('select count(*) as n from snapshots')
  return { world, accounts, snapshots: Number(rows[0]?.n), close }
}

/** Nobody subscribes here, so no document is written. */
async function work(world: TestService): Promise<void> {
  await drainWorkers(world.service, { render: () => Promise.resolve(Buffer.alloc(0)) })
}

function askers(
  world: TestService,
  chance: () => number,
): (account: Context, requestType: RequestType, plan: JourneyPlan) => Promise<void> {
  return async (account, requestType, plan) => {
    const numbers = {
      bill_of_lading: plan.bill,
      booking_number: plan.booking,
      container: plan.containers[0] ?? '',
    }
    await requestTracking(world.service, account, {
      requestType,
      requestNumber: numbers[requestType],
      scac: plan.scac,
      refNumbers: [`PO-${Math.floor(chance() * 1e6)}`],
      shipmentTags: chance() < 0.5 ? [] : ['priority'],
    })
  }
}

function answerAll(carrier: Carrier, plan: JourneyPlan, answer: Answer): void {
  for (const number of [plan.bill, plan.booking, ...plan.containers]) carrier.answers(answer, number)
}

/** Now and then the answer is garbage. At first the line may not know the number yet. */
function answerOf(plan: JourneyPlan, look: number, chance: () => number): Answer {
  const luck = chance()
  if (look === 0 && luck < 0.2) return { status: 404, json: { statusCode: 404, errors: [{ message: 'No events.' }] } }
  if (luck < 0.02) return { status: 500, text: 'Oops' }
  if (luck < 0.03)
    return { status: 200, text: `<html><form action="/login">${look}<input type=password></form></html>` }
  if (luck < 0.04) return { status: 200, text: `[{"eventID": ${look}`, contentType: 'application/json' }
  if (luck < 0.05) return { status: 429, text: 'slow down', headers: { 'retry-after': '60' } }
  return { json: plan.answerAt(look) }
}

/** What users do at any moment. Refusals (already stopped, already tracked) are part of it. */
async function actAsUsers(
  world: TestService,
  accounts: readonly Context[],
  chance: () => number,
  times: number,
): Promise<void> {
  const { service } = world
  for (let done = 0; done < times; done += 1) {
    const account = accounts[Math.floor(chance() * accounts.length)]
    if (account === undefined) continue
    const place = chance()
    const any = async (table: string): Promise<string | null> => {
      const { rows } = await service.pool.query<{ id: string }>(
        `select id from ${table} where account_id = $1 order by id
          offset floor($2::float8 * (select count(*) from ${table} where account_id = $1)) limit 1`,
        [account.account.id, place],
      )
      return rows[0]?.id ?? null
    }
    const luck = chance()
    const refNumbers = [`REF-${Math.floor(chance() * 1e6)}`]
    try {
      if (luck < 0.2) {
        const id = await any('tracking_requests')
        if (id !== null) await updateTrackingRequest(service, account, { id, refNumbers })
      } else if (luck < 0.55) {
        const id = await any('containers')
        const deliveredAt =
          luck < 0.3 ? new Date(world.clock.now() - dayMs).toISOString() : luck < 0.4 ? null : undefined
        if (id !== null) {
          const delivery = deliveredAt === undefined ? { refNumbers } : { deliveredAt }
          await updateContainer(service, account, { id, ...delivery })
        }
      } else {
        const id = await any('shipments')
        if (id === null) continue
        if (luck < 0.7) await updateShipment(service, account, { id, refNumbers, tags: [refNumbers[0] ?? ''] })
        else if (luck < 0.82) await stopTracking(service, account, { id })
        else await resumeTracking(service, account, { id })
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }
}
