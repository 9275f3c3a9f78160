/** From measured costs and stated assumptions to shards, machines, disks and money, and to what breaks first. */

import type { Costs } from './plan-costs.ts'
import { loadsOf, type Placing, placeAccounts, sharesOf, simulateLooks, type Waited, type World } from './plan-world.ts'

export interface Assumed extends World {
  /** The part of looks that brings something new. */
  readonly newsShare: number
  /** How often each container is read by the API in a day. */
  readonly readsADay: number
  /** Processors of one shard of the database. */
  readonly shardCores: number
  /** In any currency. */
  readonly coreHour: number
  readonly gbMonth: number
  /** Terabytes of disk that one shard has. */
  readonly shardTb: number
  /** How long whole rows of looks are kept (`LANDFALL_LOOKS_KEPT_DAYS`). */
  readonly looksKeptDays: number
}

export interface Shards {
  readonly shards: number
  readonly placing: Placing
  /** The part of all work at the fullest shard; an even share would be 1 / shards. */
  readonly fullest: number
  readonly waited: Waited
}

/** Something that can be full, and the part of it that is used. */
export interface Strained {
  readonly what: string
  readonly used: number
  /** What helps, and what does not. */
  readonly remedy: string
}

export interface Planned {
  /** The part of all containers that the largest account has. */
  readonly largest: number
  /** Processors that work all the time, at full use. */
  readonly workerCores: number
  readonly apiCores: number
  readonly databaseCores: number
  readonly shards: readonly Shards[]
  /** The cheapest of `shards` whose looks do not wait. Null when none is enough. */
  readonly chosen: Shards | null
  readonly bytes: {
    readonly containers: number
    readonly looks: number
    readonly snapshotsAYear: number
  }
  readonly logBytesASecond: number
  readonly strained: readonly Strained[]
  readonly money: { readonly cores: number; readonly disks: number; readonly eachContainer: number }
}

/** No machine is planned fuller: the rest is for peaks, repairs and the machine that is missing. */
export const fullMax = 0.6
/** Looks that wait longer are no service that anybody plans. */
const waitMsMax = 100
const simulatedSeconds = 60
const daySeconds = 86_400
/** LANDFALL_SNAPSHOTS_PACKED_AFTER_DAYS, as it is when nobody sets it. */
const daysUnpacked = 14
const monthHours = 730

export function reckon(costs: Costs, assumed: Assumed): Planned {
  const { containers, looksASecond, newsShare, readsADay, shardCores, seed } = assumed
  const shares = sharesOf(assumed)
  const news = looksASecond * newsShare
  const reads = (containers * readsADay) / daySeconds
  const newsMs =
    costs.answer.postgresMs + costs.unchanged.postgresMs + costs.eventsOfAnswer * costs.numbering.postgresMs
  const quietMs = costs.unchanged.postgresMs
  const workerCores =
    (looksASecond * costs.unchanged.nodeMs +
      news * (costs.answer.nodeMs + costs.eventsOfAnswer * costs.numbering.nodeMs)) /
    1_000
  const apiCores = (reads * costs.read.nodeMs) / 1_000
  const looksCores = (news * newsMs + (looksASecond - news) * quietMs) / 1_000
  const readsCores = (reads * costs.read.postgresMs) / 1_000
  const databaseCores = looksCores + readsCores
  const bytes = {
    containers: containers * costs.bytesOfContainer,
    looks: looksASecond * assumed.looksKeptDays * daySeconds * costs.bytesOfLook,
    snapshotsAYear:
      news * daySeconds * (daysUnpacked * costs.bytesOfSnapshot + (365 - daysUnpacked) * costs.bytesOfPackedSnapshot),
  }
  const disk = bytes.containers + bytes.looks + bytes.snapshotsAYear
  const shardBytes = assumed.shardTb * 1e12
  const least = Math.max(1, Math.ceil(databaseCores / (shardCores * fullMax)), Math.ceil(disk / (shardBytes * fullMax)))
  const counts = [...new Set([1, Math.ceil(least / 2), least, least * 2, least * 4])]
  const shards = counts.flatMap((count) =>
    (['by hash', 'largest first'] as const).map((placing): Shards => {
      const places = placeAccounts(shares, { shards: count, placing, seed })
      const loads = loadsOf(shares, places, count)
      const waited = simulateLooks({
        shares,
        places,
        shards: count,
        // What reads take of each shard is not there for looks.
        processors: Math.max(1, Math.round(shardCores * (1 - readsCores / (count * shardCores)))),
        looksASecond,
        newsMs,
        quietMs,
        newsShare,
        seconds: simulatedSeconds,
        seed,
      })
      return { shards: count, placing, fullest: Math.max(...loads), waited }
    }),
  )
  const isEnough = ({ fullest, waited }: Shards): boolean =>
    waited.p99Ms <= waitMsMax && waited.busiest <= fullMax && fullest * disk <= shardBytes
  const chosen = shards.find(isEnough) ?? null
  const largest = shares[0] ?? 0
  const events = news * costs.eventsOfAnswer
  const logBytesASecond = news * costs.logBytesOfAnswer
  const cores = (workerCores + apiCores) / fullMax + (chosen?.shards ?? least) * shardCores
  const disks = (disk / 1e9) * assumed.gbMonth
  const strained: readonly Strained[] = [
    {
      what: `one database of ${shardCores} processors for everything`,
      used: databaseCores / shardCores,
      remedy: 'shards by account',
    },
    {
      what: `the disk of one database, ${assumed.shardTb} TB, after a year`,
      used: disk / shardBytes,
      remedy: 'shards by account; packs of stored answers in object storage',
    },
    {
      what: `the disk of the shard with the largest account, ${assumed.shardTb} TB, after a year`,
      used: (largest * disk) / shardBytes,
      remedy: 'a larger disk for this shard, or its old answers elsewhere; more shards do not help',
    },
    {
      what: 'the numbering of events, one at a time for all accounts of a database',
      used: (events * (costs.numbering.postgresMs + costs.numbering.nodeMs)) / 1_000,
      remedy: 'each shard numbers its own accounts',
    },
    {
      what: `the processors of the shard with the largest account (${(largest * 100).toFixed(1)} % of all work)`,
      used: (largest * databaseCores) / shardCores,
      remedy: 'a larger machine for this shard; more shards do not help, because an account is never divided',
    },
    {
      what: 'the log of one database, at 200 MB a second of one disk',
      used: logBytesASecond / 200e6,
      remedy: 'shards, each with its own disk',
    },
  ]
  return {
    largest,
    workerCores,
    apiCores,
    databaseCores,
    shards,
    chosen,
    bytes,
    logBytesASecond,
    strained: strained.toSorted((a, b) => b.used - a.used),
    money: {
      cores: cores * assumed.coreHour * monthHours,
      disks,
      eachContainer: (cores * assumed.coreHour * monthHours + disks) / containers,
    },
  }
}
