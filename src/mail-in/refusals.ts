/** What is answered to a mail server that is refused: codes of RFC 5321, with those of RFC 3463 and RFC 5248. */

import type { Service } from '../modules/service.ts'

const refusals = {
  // One answer, whether the mailbox was deleted, never existed, or is at another domain: nothing is ever relayed.
  unknown_recipient: [550, '5.1.1 No such mailbox here.'],
  too_many_unknown: [421, '4.7.0 Too many unknown mailboxes. Goodbye.'],
  too_many_messages: [421, '4.7.0 Too many messages on one connection. Connect again.'],
  too_many_of_address: [421, '4.7.0 Too many messages from this address. Try again later.'],
  too_many_connections: [421, '4.7.0 Too many connections from this address. Try again later.'],
  too_many_for_mailbox: [452, '4.2.2 Too many messages for this mailbox. Try again later.'],
  too_large: [552, '5.3.4 The message is too large.'],
  header_too_large: [552, '5.3.4 The header of the message is too large.'],
  loop: [554, '5.4.6 The message goes round in a circle.'],
  busy: [451, '5.4.6 The message is in a mail loop.'],
  not_now: [451, '4.3.0 The message cannot be stored at this moment. Try again later.'],
} as const satisfies Readonly<Record<string, readonly [code: number, words: string]>>
export type RefusalReason = keyof typeof refusals

/** The error that makes the server answer so. Counted and logged, without the address of anybody. */
export function createRefusal(service: Service, reason: RefusalReason, error?: unknown): Error {
  service.metrics.emailRefused({ reason, ...(error === undefined ? {} : { error }) })
  const [responseCode, text] = refusals[reason]
  return Object.assign(new Error(text), { responseCode })
}
