/**
 * Keeps the parts of a table that is partitioned by time: makes them ahead and drops those that are too old. Any number of
 * processes may do it at once.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { isErrorCode } from '../../platform/error-code.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import {
  cutBefore,
  dropPart,
  endedParts,
  enterEventPart,
  type KeptInParts,
  makeEventPart,
  makePart,
  missingParts,
  openEventPart,
  type Part,
  type PartedTable,
} from '../../store/ground/time-parts.ts'
import type { Service } from '../service.ts'

type Needs = Pick<Service, 'pool'>

/**
 * Makes the parts of these days, and of rows from `from` on that have none. What there was before there were parts becomes
 * one of them first. Returns how many steps were done.
 */
export async function makeParts(
  service: Needs,
  of: {
    readonly table: PartedTable
    readonly days: readonly string[]
    readonly from: string
    readonly now: string
  },
): Promise<number> {
  let done = await cutAll(service, of.table, of.now)
  const missing = await missingParts(service.pool, of)
  for (const day of missing) if (await ensurePart(service, of.table, day)) done += 1
  return done
}

/** The same for events, which have one part ahead: it is opened when a month begins. */
export async function makeEventParts(service: Needs, now: string): Promise<number> {
  const cut = await cutAll(service, 'events', now)
  // A process may have died between the two steps.
  const isEntered = await alone(service, enterEventPart)
  const isOpened = await alone(service, (db) => openEventPart(db, now))
  if (isOpened === true) await alone(service, enterEventPart)
  const isMade = await alone(service, (db) => makeEventPart(db, now))
  return cut + [isEntered, isOpened, isMade].filter(Boolean).length
}

async function cutAll(service: Needs, table: KeptInParts, now: string): Promise<number> {
  const cut = () => alone(service, (db) => cutBefore(db, table, now))
  let done = 0
  for (let step = await cut(); step !== null && step !== 'unbounded'; step = await cut()) done += 1
  return done
}

/** Makes the part that has this day, unless it is there. Returns false when the table is in use for long. */
export async function ensurePart(service: Needs, table: PartedTable, day: string): Promise<boolean> {
  const made = await alone(service, async (db) => {
    await makePart(db, table, day)
    return true
  })
  return made === true
}

/**
 * Drops the parts that ended by then, the oldest first, until one may not be dropped or is in use for long. Returns those
 * that it dropped.
 */
export async function dropParts(
  service: Needs,
  of: {
    readonly table: KeptInParts
    readonly before: string
    /** Asked in the transaction that drops the part. */
    readonly mayDrop?: (db: Db, part: Part) => Promise<boolean>
  },
): Promise<readonly Part[]> {
  const dropped: Part[] = []
  for (const part of await endedParts(service.pool, of)) {
    const isDropped = await alone(service, async (db) =>
      (await of.mayDrop?.(db, part)) === false ? null : dropPart(db, of.table, part.name),
    )
    if (isDropped === null) break
    if (isDropped) dropped.push(part)
  }
  return dropped
}

const triesMax = 8
const betweenMs = 1_000

/**
 * Takes the lock of a whole table in a moment in which nobody holds it. Whoever wants the table meanwhile waits no longer
 * than each try (300 ms). Null: somebody uses it for long, as a backup does; it is to be done another time.
 */
async function alone<T>(service: Needs, work: (db: Db) => Promise<T>): Promise<T | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(service.pool, work)
    } catch (error) {
      const isInUse = isErrorCode(error, '55P03') || isErrorCode(error, '40P01')
      if (!isInUse) throw error
      if (tries === triesMax) return null
    }
    await pause(betweenMs * (0.5 + Math.random()))
  }
}
