/** The text of an e-mail, encrypted for its row. */

import type { Vault } from '../../vault.ts'

export function sealBody(
  vault: Vault,
  { id, body }: { readonly id: string; readonly body: string | null },
): Buffer | null {
  return body === null ? null : vault.sealBytes(Buffer.from(body), placeOf(id))
}

export function openBody(
  vault: Vault,
  { id, sealedBody }: { readonly id: string; readonly sealedBody: Buffer | null },
): string | null {
  return sealedBody === null ? null : vault.openBytes(sealedBody, placeOf(id)).toString('utf8')
}

function placeOf(id: string): string {
  return `email_submissions ${id}`
}
