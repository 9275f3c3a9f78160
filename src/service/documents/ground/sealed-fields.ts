/** Fields of a reading that open the gate to the cargo, encrypted for the reading that they are of. */

import type { FieldRead } from '../../../sources/documents/document.ts'
import type { Vault } from '../../vault.ts'

interface OfReading {
  readonly accountId: string
  readonly representationId: string
}

/** Null when there are none. */
export function sealFields(
  vault: Vault,
  { fields, ...of }: OfReading & { readonly fields: readonly FieldRead[] },
): Buffer | null {
  return fields.length === 0 ? null : vault.sealBytes(Buffer.from(JSON.stringify(fields)), placeOf(of))
}

/** Throws when they were not sealed for this reading by this installation. */
export function openFields(
  vault: Vault,
  { sealed, ...of }: OfReading & { readonly sealed: Buffer | null },
): readonly FieldRead[] {
  // safe: `sealFields` wrote it, and nobody else can seal for this place.
  return sealed === null ? [] : JSON.parse(vault.openBytes(sealed, placeOf(of)).toString('utf8'))
}

function placeOf({ accountId, representationId }: OfReading): string {
  return `document_fields ${accountId} ${representationId}`
}
