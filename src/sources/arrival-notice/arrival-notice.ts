/**
 * The source for DCSA's Arrival Notice 1.0: what a line sends to a consignee before the goods arrive. A notice is the
 * full picture of its document and its label (`typeLabel`), and the last issued one counts: the keys of all its
 * statements contain both (`head.ts`).
 */

import { openMemory } from '../dcsa/context.ts'
import { settleNames } from '../dcsa/names.ts'
import { cutDelivery, type FindSpoken, inOrder } from '../json-delivery.ts'
import { IssueList } from '../source-issue.ts'
import type { Announced, Delivered, SpokenOf, ToldSource } from '../told.ts'
import { findAnnounced } from './announced.ts'
import { openNoticeAsking } from './asking.ts'
import { type NoticeHead, readHead, scopeOfKey } from './head.ts'
import { type ArrivalNoticeProfile, parseNoticeProfile } from './profile.ts'
import { readingBy, readNotice } from './read.ts'

/** Maximum size of one notice: it may contain its own PDF. */
export const noticeBytesMax = 20_000_000

export function openArrivalNoticeSource(): ToldSource<ArrivalNoticeProfile> {
  return {
    name: 'arrival_notice',
    version: 2,
    parseProfile: parseNoticeProfile,
    partsOf,
    scopeOf: scopeOfKey,
    asking: openNoticeAsking(),
    read: readNotice,
  }
}

function partsOf(body: Buffer): Delivered {
  const announced: Announced[] = []
  const spokenOf = spokenBy((each) => announced.push(each))
  const delivered = cutDelivery(body, { lists: ['arrivalnotices'], bytesMax: noticeBytesMax, spokenOf })
  const [first] = announced
  if (first === undefined) return delivered
  const numbers = inOrder(announced.flatMap((each) => each.numbers))
  return { ...delivered, announced: { ...first, numbers } }
}

function spokenBy(announce: (announced: Announced) => void): FindSpoken {
  const memory = openMemory()
  return (value, { path, issues }) => {
    settleNames(value)
    const announced = findAnnounced(value, path)
    if (announced !== null) {
      if (announced.numbers.length > 0) announce(announced)
      else issues.add('unsupported_message', announced.unasked, announced.unasked.detail)
      return null
    }
    const unsaid = new IssueList(issues.page)
    const head = readHead({ value, path }, { issues: unsaid, profile: readingBy({}), fetchedAtMs: 0, memory })
    if (head === null) {
      const at = { path: `${path}/transportDocumentReference`, lost: 'event' } as const
      issues.add(
        'missing_field',
        at,
        'the notice has no number of a transport document (transportDocumentReference)',
      )
      return null
    }
    const words = head.issuedText === null ? null : [head.bill, head.label, head.issuedText]
    return { about: aboutOf(head), words, writtenAt: head.issuedAt }
  }
}

function aboutOf({ bill, bookings, boxes }: NoticeHead): readonly SpokenOf[] {
  return inOrder([
    { kind: 'bill_of_lading', number: bill },
    ...bookings.map((number) => ({ kind: 'booking', number }) as const),
    ...boxes.map(({ number }) => ({ kind: 'container', number }) as const),
  ])
}
