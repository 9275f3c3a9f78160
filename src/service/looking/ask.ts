/** Asks the line about a subject, with the secrets of its credential and through the one guarded way out. */

import { findSource } from '../../sources/registry.ts'
import type { FetchResult } from '../../sources/source.ts'
import type { DueSubject } from '../../store/subjects.ts'
import type { Service } from '../service.ts'
import { openSecrets } from '../vault.ts'

/** Throws when the source or its profile is none of ours. */
export async function ask(service: Service, subject: DueSubject): Promise<FetchResult> {
  const source = findSource(subject.source)
  if (source === null) throw new Error(`no source is called ${subject.source}`)
  const profile = source.parseProfile(subject.profile)
  if (!profile.ok) throw new Error(`the profile of ${subject.scac} is none: ${profile.reason}`)
  const secrets = openSecrets(service.vault, subject.secretSealed)
  return source.fetch(
    { scac: subject.scac, kind: subject.kind, number: subject.number, firstAskedAt: subject.createdAt },
    { profile: profile.value, secrets },
    { egress: service.carrierEgress(subject.isFiction), now: () => service.clock.now() },
  )
}

/** How often its line may be asked; null where it does not say. */
export function rateOf(subject: DueSubject): { readonly intervalMs: number; readonly burst: number } | null {
  const source = findSource(subject.source)
  return source?.rateOf(subject.profile) ?? null
}
