/** The content of a parsed e-mail, and the bounds within which an e-mail is read. */

export const mailBounds = {
  /** Maximum number of attachments that are read. */
  parts: 100,
  /** Maximum nesting of parts within parts, and of e-mails within e-mails. */
  depth: 10,
  headerBytes: 256 * 1_024,
  bodyCharacters: 100_000,
  subjectCharacters: 1_000,
  fileNameCharacters: 200,
  addresses: 100,
} as const

/** Why a mail program, and no person, wrote it in answer to something. Nothing in it is worked on. */
export type AutomaticMailKind = 'delivery_report' | 'automatic_reply' | 'sent_by_landfall'

export interface MailHead {
  readonly subject: string
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly messageId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  readonly contentType: string | null
  /** ISO instant; null when the date cannot be read or names no zone. */
  readonly sentAt: string | null
  /** The one address in the one `From`. Null when there is none or more than one, or when fields are doubled. */
  readonly author: string | null
  readonly echo: AutomaticMailKind | null
}

export interface MailAttachment {
  /** Without its path. */
  readonly fileName: string | null
  readonly contentType: string | null
  readonly bytes: Buffer
  /** It is shown within the text, such as the logo of a signature. */
  readonly isInText: boolean
  /** Why it was not read; its bytes are then left out. */
  readonly refusal: string | null
}

export interface ParsedMail {
  readonly head: MailHead
  /** Its plain text, or the text of its HTML; null when it has none. */
  readonly body: string | null
  readonly parts: readonly MailAttachment[]
}

export type MailReading =
  | { readonly ok: true; readonly mail: ParsedMail }
  | { readonly ok: false; readonly detail: string }
