/** Fields of a reading that open the gate to the cargo, encrypted for the reading that they are of. */

import type { FieldRead } from '../../connectors/papers/document.ts'
import type { Encryption } from '../../platform/encryption.ts'

interface OfReading {
  readonly accountId: string
  readonly representationId: string
}

/** Null when there are none. */
export function encryptFields(
  encryption: Encryption,
  { fields, ...of }: OfReading & { readonly fields: readonly FieldRead[] },
): Buffer | null {
  return fields.length === 0
    ? null
    : encryption.encryptBytes(Buffer.from(JSON.stringify(fields)), placeOf(of))
}

/** Throws when they were not encrypted for this reading by this installation. */
export function decryptFields(
  encryption: Encryption,
  { encrypted, ...of }: OfReading & { readonly encrypted: Buffer | null },
): readonly FieldRead[] {
  // safe: `encryptFields` wrote it, and nobody else can encrypt for this place.
  return encrypted === null
    ? []
    : JSON.parse(encryption.decryptBytes(encrypted, placeOf(of)).toString('utf8'))
}

function placeOf({ accountId, representationId }: OfReading): string {
  return `document_fields ${accountId} ${representationId}`
}
