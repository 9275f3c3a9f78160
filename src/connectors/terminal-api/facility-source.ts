/**
 * The source for terminals and railways whose interface is described as data (`profile.ts`). Each container of an
 * answer or a delivered message is one message part, polled or pushed.
 */

import type { FacilityCoverage } from '../../domain/shipment/at-facility.ts'
import { openPartCollector, parseObject } from '../json-delivery.ts'
import type { DeliveryParts, PushedSource } from '../pushed-source.ts'
import { IssueList, type SourceIssue } from '../source-issue.ts'
import { meetsCondition, placeOf, scopeOfKey } from './container-context.ts'
import { readContainerNumber } from './container-number.ts'
import { elementsAt } from './elements.ts'
import { openFacilityPoller } from './facility-poller.ts'
import { type FacilityProfile, parseFacilityProfile } from './profile.ts'
import { readFacilityMessage } from './read-facility-message.ts'
import { readTime } from './times.ts'

/** Maximum size of one container. */
export const containerBytesMax = 256_000

export function openFacilitySource(): PushedSource<FacilityProfile> {
  return {
    name: 'facility',
    version: 4,
    parseProfile: parseFacilityProfile,
    splitDelivery: toMessageParts,
    scopeOf: scopeOfKey,
    findLocations: locationsOf,
    polling: openFacilityPoller(),
    read: readFacilityMessage,
  }
}

function locationsOf({ stands: facilities = [], scacs = [] }: FacilityProfile): FacilityCoverage | null {
  if (facilities.length === 0 && scacs.length === 0) return null
  const places = facilities.map((facility) => {
    const { unlocode, terminalId } = placeOf(facility, 'terminal')
    return { unlocode: unlocode ?? facility.port, terminalId, code: facility.code ?? null }
  })
  return { places, scacs }
}

/** An answer may leave out some of the containers that were polled: about those it states nothing. */
function toMessageParts(body: Buffer, profile: FacilityProfile): DeliveryParts {
  const book = openPartCollector(body, {
    bytesMax: containerBytesMax,
    readHeader: (value, { path, issues }) => {
      const number = readContainerNumber(value, { profile, issues, path })
      if (number === null) return null
      const writtenAt = writtenAtOf(value, profile)
      // Same container, same time of writing and same bytes: the same message.
      const keyTexts = writtenAt === null ? null : [number, writtenAt]
      return { about: [{ kind: 'container', number }], senderReferences: keyTexts, writtenAt }
    },
  })
  const places = typeof profile.boxes === 'string' ? [profile.boxes] : profile.boxes
  for (const place of places) {
    let isAnythingThere = false
    for (const element of elementsAt(body, place)) {
      isAnythingThere = true
      if (!book.take(element)) break
    }
    if (isAnythingThere) return book.close()
  }
  const delivered = book.close()
  if (isEmptyAnswer(body, profile, places)) return delivered
  const detail = `there is nothing at ${places.map((place) => place || 'its root').join(' or ')}`
  const fault: SourceIssue = { kind: 'wrong_structure', page: 1, path: '', lost: 'answer', detail }
  return { ...delivered, faults: [fault] }
}

/** Orders messages, so only an instant is used, never a day or a local time. */
function writtenAtOf(value: object, profile: FacilityProfile): string | null {
  const { writtenAt: field, zone = null } = profile
  if (field === undefined) return null
  const reading = { profile, issues: new IssueList(1), zone: zone === 'place' ? null : zone }
  const written = readTime({ ...reading, fetchedAtMs: Number.MAX_SAFE_INTEGER }, field, { value, path: '' })
  return written?.time.kind === 'instant' ? written.time.at : null
}

/** True for an empty list of containers, and for the profile's texts for "nothing found". */
function isEmptyAnswer(body: Buffer, { notFound, ...profile }: FacilityProfile, places: readonly string[]): boolean {
  const isList = (place: string): boolean => {
    const list = place.endsWith('/*') ? [...elementsAt(body, place.slice(0, -2))][0] : undefined
    return list?.kind === 'element' && body[list.range.from] === 0x5b
  }
  if (places.some(isList)) return true
  const value = notFound === undefined || body.length > containerBytesMax ? null : parseObject(body)
  if (value === null || notFound === undefined) return false
  return meetsCondition({ profile, issues: new IssueList(1) }, notFound, { value, path: '' })
}
