/**
 * Asks the line about a subject, with the secrets of its credential. The request goes out through the guarded egress
 * only.
 */

import { findSource } from '../../../sources/registry.ts'
import type { FetchResult } from '../../../sources/source.ts'
import type { DueSubject } from '../../../store/looks/due-subjects.ts'
import type { Service } from '../../service.ts'
import { openSecrets } from '../../vault.ts'

/** Throws when no source has that name, or when the source cannot read the profile. */
export async function ask(
  service: Service,
  subject: DueSubject,
  leave: () => Promise<boolean>,
): Promise<FetchResult> {
  const source = findSource(subject.source)
  if (source === null) throw new Error(`no source is called ${subject.source}`)
  const profile = source.parseProfile(subject.profile)
  if (!profile.ok) throw new Error(`the profile of ${subject.scac} is not valid: ${profile.reason}`)
  const { scac, kind, number, lastSnapshotId } = subject
  const etag = lastSnapshotId === null ? null : subject.etag
  const secrets = openSecrets(service.vault, subject.secretSealed)
  return source.fetch(
    { scac, kind, number, firstAskedAt: subject.createdAt, etag },
    { profile: profile.value, secrets },
    { egress: service.carrierEgress(subject.isFiction), now: () => service.clock.now(), leave },
  )
}
