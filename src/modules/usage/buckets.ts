/**
 * The kinds of request that are counted separately, and how many of each an account may make in any 60 seconds unless
 * it was given another limit.
 */

import type { Config } from '../../platform/config.ts'

export const buckets = ['default', 'create', 'infer', 'refresh', 'rehearse', 'embed', 'people'] as const
/**
 * `create`: tracking requests made, one by one or in batches. `rehearse`: items of dry runs. `embed`: requests with
 * publishable keys. `people`: requests of the portal's pages. `default`: every request that has no bucket of its own.
 */
export type Bucket = (typeof buckets)[number]

export type Limits = Readonly<Record<Bucket, number>>

/** 0 is no limit. */
export function limitsBySettings({ limits }: Config): Limits {
  return {
    default: limits.defaultPerMinute,
    create: limits.createPerMinute,
    infer: limits.inferPerMinute,
    refresh: limits.refreshPerMinute,
    rehearse: limits.rehearsePerMinute,
    embed: limits.embedPerMinute,
    people: limits.peoplePerMinute,
  }
}
