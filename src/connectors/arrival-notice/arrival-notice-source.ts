/**
 * The source for DCSA's Arrival Notice 1.0: what a line sends to a consignee before the goods arrive. A notice is the
 * full picture of its document and its label (`typeLabel`), and the last issued one counts: the keys of all its
 * statements contain both (`head.ts`).
 */

import { createResolutionCache } from '../dcsa/context.ts'
import { normalizeNames } from '../dcsa/names.ts'
import { cutDelivery, type ReadMessageHeader, sortMentionedNumbers } from '../json-delivery.ts'
import type { DeliveryParts, MentionedNumber, PushedSource, UpdateNotice } from '../pushed-source.ts'
import { IssueList } from '../source-issue.ts'
import { type NoticeHead, readHead, scopeOfKey } from './head.ts'
import { readNoticeNotification } from './notice-notification.ts'
import { openNoticePoller } from './notice-poller.ts'
import { type ArrivalNoticeProfile, parseNoticeProfile } from './profile.ts'
import { makeReadingProfile, readNotice } from './read-notice.ts'

/** Maximum size of one notice: it may contain its own PDF. */
export const noticeBytesMax = 20_000_000

export function openArrivalNoticeSource(): PushedSource<ArrivalNoticeProfile> {
  return {
    name: 'arrival_notice',
    version: 3,
    parseProfile: parseNoticeProfile,
    splitDelivery: toMessageParts,
    scopeOf: scopeOfKey,
    polling: openNoticePoller(),
    read: readNotice,
  }
}

function toMessageParts(body: Buffer): DeliveryParts {
  const notifications: UpdateNotice[] = []
  const findMentioned = makeHeaderReader((each) => notifications.push(each))
  const delivered = cutDelivery(body, {
    lists: ['arrivalnotices'],
    bytesMax: noticeBytesMax,
    readHeader: findMentioned,
  })
  const [first] = notifications
  if (first === undefined) return delivered
  const numbers = sortMentionedNumbers(notifications.flatMap((each) => each.numbers))
  return { ...delivered, updateNotice: { ...first, numbers } }
}

function makeHeaderReader(onNotification: (notification: UpdateNotice) => void): ReadMessageHeader {
  const memory = createResolutionCache()
  return (value, { path, issues }) => {
    normalizeNames(value)
    const notification = readNoticeNotification(value, path)
    if (notification !== null) {
      if (notification.numbers.length > 0) onNotification(notification)
      else issues.add('unsupported_message', notification.notPolledIssue, notification.notPolledIssue.detail)
      return null
    }
    const ignoredIssues = new IssueList(issues.page)
    const head = readHead(
      { value, path },
      { issues: ignoredIssues, profile: makeReadingProfile({}), fetchedAtMs: 0, memory },
    )
    if (head === null) {
      const at = { path: `${path}/transportDocumentReference`, lost: 'event' } as const
      issues.add('missing_field', at, 'the notice has no number of a transport document (transportDocumentReference)')
      return null
    }
    const keyTexts = head.issuedText === null ? null : [head.bill, head.label, head.issuedText]
    return { about: aboutOf(head), senderReferences: keyTexts, writtenAt: head.issuedAt }
  }
}

function aboutOf({ bill, bookings, containers }: NoticeHead): readonly MentionedNumber[] {
  return sortMentionedNumbers([
    { kind: 'bill_of_lading', number: bill },
    ...bookings.map((number) => ({ kind: 'booking', number }) as const),
    ...containers.map(({ number }) => ({ kind: 'container', number }) as const),
  ])
}
