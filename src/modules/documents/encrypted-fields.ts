/** Fields of a reading that open the gate to the cargo, encrypted for the reading that they are of. */

import type { DocumentField } from '../../connectors/papers/document.ts'
import type { Encryption } from '../../platform/encryption.ts'

interface OfReading {
  readonly accountId: string
  readonly representationId: string
}

/** Null when there are none. */
export function encryptFields(
  encryption: Encryption,
  { fields, ...of }: OfReading & { readonly fields: readonly DocumentField[] },
): Buffer | null {
  return fields.length === 0
    ? null
    : encryption.encryptBytes(Buffer.from(JSON.stringify(fields)), encryptionContextOf(of))
}

/** Throws when they were not encrypted for this reading by this installation. */
export function decryptFields(
  encryption: Encryption,
  { encrypted, ...of }: OfReading & { readonly encrypted: Buffer | null },
): readonly DocumentField[] {
  // safe: `encryptFields` wrote it, and nobody else can encrypt for this place.
  return encrypted === null
    ? []
    : JSON.parse(encryption.decryptBytes(encrypted, encryptionContextOf(of)).toString('utf8'))
}

function encryptionContextOf({ accountId, representationId }: OfReading): string {
  return `document_fields ${accountId} ${representationId}`
}
