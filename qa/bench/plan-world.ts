/**
 * The world of the plan: accounts of Zipf sizes on shards, and the looks that come, wait and are worked on. All work on
 * one account is done by one shard, because every key leads with the account.
 */

import { seededChance } from './measure.ts'

export interface World {
  readonly containers: number
  readonly accounts: number
  /** Exponent of the sizes: the n-th account has 1/n^zipf as much as the first. */
  readonly zipf: number
  readonly looksASecond: number
  readonly seed: number
}

/** The share of each account, the largest first. Their sum is 1. */
export function sharesOf({ accounts, zipf }: Pick<World, 'accounts' | 'zipf'>): readonly number[] {
  const weights = Array.from({ length: accounts }, (_, place) => (place + 1) ** -zipf)
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}

export type Placing = 'by hash' | 'largest first'

/** For each account its shard. By hash: as a new installation places them. Largest first: each to the emptiest shard. */
export function placeAccounts(
  shares: readonly number[],
  { shards, placing, seed }: { readonly shards: number; readonly placing: Placing; readonly seed: number },
): readonly number[] {
  if (placing === 'by hash') {
    const chance = seededChance(seed)
    return shares.map(() => Math.floor(chance() * shards))
  }
  const filled = new Float64Array(shards)
  return shares.map((share) => {
    let emptiest = 0
    for (let shard = 1; shard < shards; shard += 1) if ((filled[shard] ?? 0) < (filled[emptiest] ?? 0)) emptiest = shard
    filled[emptiest] = (filled[emptiest] ?? 0) + share
    return emptiest
  })
}

/** The part of all work that each shard has. */
export function loadsOf(shares: readonly number[], places: readonly number[], shards: number): readonly number[] {
  const loads = Array.from({ length: shards }, () => 0)
  for (const [account, share] of shares.entries()) {
    const shard = places[account] ?? 0
    loads[shard] = (loads[shard] ?? 0) + share
  }
  return loads
}

export interface Waited {
  /** Of all looks: how long one waits until a processor of its shard is free, and how much of the time the fullest shard works. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly busiest: number
  readonly simulated: number
}

/**
 * Looks come by chance (Poisson), each at an account by its share; the processors of its shard serve in order of coming.
 * A look takes a time by chance (exponential) around its mean.
 */
export function simulateLooks(of: {
  readonly shares: readonly number[]
  readonly places: readonly number[]
  readonly shards: number
  readonly processors: number
  readonly looksASecond: number
  /** Milliseconds of PostgreSQL of a look with news and of one without, and how many have news. */
  readonly newsMs: number
  readonly quietMs: number
  readonly newsShare: number
  readonly seconds: number
  readonly seed: number
}): Waited {
  const chance = seededChance(of.seed)
  const upTo = new Float64Array(of.shares.length)
  let sum = 0
  for (const [account, share] of of.shares.entries()) {
    sum += share
    upTo[account] = sum
  }
  const free = Array.from({ length: of.shards }, () => new Float64Array(of.processors))
  const worked = new Float64Array(of.shards)
  const waits: number[] = []
  const untilMs = of.seconds * 1_000
  for (let now = 0; ; ) {
    now += (-Math.log(1 - chance()) / of.looksASecond) * 1_000
    if (now >= untilMs) break
    const shard = of.places[accountAt(upTo, chance() * sum)] ?? 0
    const processors = free[shard] ?? new Float64Array(of.processors)
    let next = 0
    for (let at = 1; at < processors.length; at += 1) if ((processors[at] ?? 0) < (processors[next] ?? 0)) next = at
    const begins = Math.max(now, processors[next] ?? 0)
    const mean = chance() < of.newsShare ? of.newsMs : of.quietMs
    const takes = -Math.log(1 - chance()) * mean
    processors[next] = begins + takes
    worked[shard] = (worked[shard] ?? 0) + takes
    waits.push(begins - now)
  }
  const sorted = Float64Array.from(waits).sort()
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busiest: Math.max(...worked) / (untilMs * of.processors),
    simulated: waits.length,
  }
}

/** The first account up to which the shares sum to `point`. */
function accountAt(upTo: Float64Array, point: number): number {
  let [low, high] = [0, upTo.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((upTo[middle] ?? 0) < point) low = middle + 1
    else high = middle
  }
  return low
}
