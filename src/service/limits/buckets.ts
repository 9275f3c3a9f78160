/** What is counted apart, and how much of it an account may have in any 60 seconds unless it was given another limit. */

import type { Config } from '../../platform/config.ts'

export const buckets = ['default', 'create', 'infer', 'refresh', 'rehearse', 'embed', 'people'] as const
/** `create`: tracking requests made, by themselves or in batches. `rehearse`: items of dry runs. `embed`: what is asked with publishable keys. `people`: what pages of the portal ask. `default`: every request that has no bucket of its own. */
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
