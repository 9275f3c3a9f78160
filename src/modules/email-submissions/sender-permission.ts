/**
 * What an e-mail may do, by who sent it. A sender counts as an account's own only if it is on the account's list and SPF
 * or DKIM proves its domain. Without a list, files become documents, which state nothing until they are read; tables and
 * EDI files, which act, always need a proven sender.
 */

import type { AutomaticMailKind } from '../../connectors/email/mail.ts'

export interface SenderAssessment {
  readonly echo: AutomaticMailKind | null
  readonly hasList: boolean
  readonly isListed: boolean
  readonly isVerified: boolean
  readonly spf: string
  readonly dkim: string
}

export type Permission =
  | { readonly kind: 'all' }
  /** Files become documents; `reason`: why nothing else is done. */
  | { readonly kind: 'documents'; readonly reason: string }
  | { readonly kind: 'nothing'; readonly state: 'ignored' | 'refused'; readonly reason: string }

const echoes: Readonly<Record<AutomaticMailKind, string>> = {
  delivery_report: 'The e-mail is a delivery report: its content is not processed.',
  automatic_reply: 'The e-mail is an automatic reply: its content is not processed.',
  sent_by_landfall: 'Landfall itself sent the e-mail: its content is not processed.',
}

export function permissionOf(judged: SenderAssessment): Permission {
  const { echo, hasList, isListed, isVerified, spf, dkim } = judged
  if (echo !== null) return { kind: 'nothing', state: 'ignored', reason: echoes[echo] }
  if (isVerified) return { kind: 'all' }
  if (!hasList)
    return {
      kind: 'documents',
      reason:
        'Tables and EDI files are accepted only from senders that are on the list of the account. The list is empty: add the sender to `mailbox_senders`.',
    }
  const reason = isListed
    ? `The sender of the e-mail is not verified: SPF ${spf}, DKIM ${dkim}, and neither passed for the domain of the sender.`
    : 'The sender is not on the list of the account: add it to `mailbox_senders`.'
  return { kind: 'nothing', state: 'refused', reason }
}
