/** The text of an e-mail, encrypted for its row. */

import type { Encryption } from '../../platform/encryption.ts'

export function encryptBody(
  encryption: Encryption,
  { id, body }: { readonly id: string; readonly body: string | null },
): Buffer | null {
  return body === null ? null : encryption.encryptBytes(Buffer.from(body), encryptionContextOf(id))
}

export function decryptMailBody(
  encryption: Encryption,
  { id, encryptedBody }: { readonly id: string; readonly encryptedBody: Buffer | null },
): string | null {
  return encryptedBody === null
    ? null
    : encryption.decryptBytes(encryptedBody, encryptionContextOf(id)).toString('utf8')
}

function encryptionContextOf(id: string): string {
  return `email_submissions ${id}`
}
