/**
 * The source for terminals and railways whose interface is described as data (`profile.ts`). Each box of an answer or a
 * delivered message is one part, whichever way it came.
 */

import type { Stands } from '../../core/shipment/at-facility.ts'
import { openBook, parseObject } from '../json-delivery.ts'
import { IssueList, type SourceIssue } from '../source-issue.ts'
import type { Delivered, ToldSource } from '../told.ts'
import { openFacilityAsking } from './asking.ts'
import { holdsTrue, placeOf, scopeOfKey } from './box-context.ts'
import { readBoxNumber } from './boxes.ts'
import { elementsAt } from './elements.ts'
import { type FacilityProfile, parseFacilityProfile } from './profile.ts'
import { readBox } from './read.ts'
import { readTime } from './times.ts'

/** Maximum size of one box. */
export const boxBytesMax = 256_000

export function openFacilitySource(): ToldSource<FacilityProfile> {
  return {
    name: 'facility',
    version: 3,
    parseProfile: parseFacilityProfile,
    partsOf,
    scopeOf: scopeOfKey,
    standsOf,
    asking: openFacilityAsking(),
    read: readBox,
  }
}

function standsOf({ stands = [], scacs = [] }: FacilityProfile): Stands | null {
  if (stands.length === 0 && scacs.length === 0) return null
  const places = stands.map((facility) => {
    const { unlocode, terminalId } = placeOf(facility, 'terminal')
    return { unlocode: unlocode ?? facility.port, terminalId, code: facility.code ?? null }
  })
  return { places, scacs }
}

/** An answer may leave out some of the boxes that were asked for: about those it says nothing. */
function partsOf(body: Buffer, profile: FacilityProfile): Delivered {
  const book = openBook(body, {
    bytesMax: boxBytesMax,
    spokenOf: (value, { path, issues }) => {
      const number = readBoxNumber(value, { profile, issues, path })
      if (number === null) return null
      const writtenAt = writtenAtOf(value, profile)
      // Same box, same time of writing and same bytes: the same message.
      const words = writtenAt === null ? null : [number, writtenAt]
      return { about: [{ kind: 'container', number }], words, writtenAt }
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
  const said = readTime({ ...reading, fetchedAtMs: Number.MAX_SAFE_INTEGER }, field, { value, path: '' })
  return said?.time.kind === 'instant' ? said.time.at : null
}

/** True for an empty list of boxes, and for the profile's words for "nothing found". */
function isEmptyAnswer(
  body: Buffer,
  { notFound, ...profile }: FacilityProfile,
  places: readonly string[],
): boolean {
  const isList = (place: string): boolean => {
    const list = place.endsWith('/*') ? [...elementsAt(body, place.slice(0, -2))][0] : undefined
    return list?.kind === 'element' && body[list.range.from] === 0x5b
  }
  if (places.some(isList)) return true
  const value = notFound === undefined || body.length > boxBytesMax ? null : parseObject(body)
  if (value === null || notFound === undefined) return false
  return holdsTrue({ profile, issues: new IssueList(1) }, notFound, { value, path: '' })
}
