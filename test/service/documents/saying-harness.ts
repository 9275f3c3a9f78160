// What the tests of what documents say stand on: a tracked shipment, and documents as if somebody had handed them in.
import { uuidV7 } from '../../../src/platform/ids.ts'
import type { Actor, Context } from '../../../src/service/context.ts'
import { sayDocument } from '../../../src/service/documents/saying/say-document.ts'
import type { DocumentType, FieldRead } from '../../../src/sources/documents/document.ts'
import type { TestService } from '../../support/service.ts'

export const bill = 'HLCUSHA260100077'

/** A field as the rules read it, each on a line of its own of page 1. */
export function field(name: string, value: FieldRead['value'], of: Partial<FieldRead> = {}): FieldRead {
  const box = { left: 0.1, top: 0.2, right: 0.3, bottom: 0.22 }
  return { name, value, text: `${value}`, confidence: 0.97, page: 1, box, by: 'rules', ...of }
}

export interface Paper {
  readonly id: string
  /** The rules read it; returns how many words were said. */
  readonly read: (fields: readonly FieldRead[]) => Promise<number>
  /** A person wrote the payload in place of what was read. */
  readonly correct: (
    payload: Readonly<Record<string, unknown>>,
    fields?: readonly FieldRead[],
    by?: Actor,
  ) => Promise<number>
  readonly remove: () => Promise<number>
}

/** `as`: whose document it is. */
export async function handIn(
  { service, clock }: Pick<TestService, 'service' | 'clock'>,
  type: DocumentType,
  { as, name = `${type}.pdf` }: { readonly as: Pick<Context, 'account'>; readonly name?: string },
): Promise<Paper> {
  const id = uuidV7(clock.now())
  const { id: accountId, isFiction } = as.account
  await service.pool.query({
    text: `insert into documents (account_id, id, name, source, added_by, file_name, file_size_bytes, file_id, content_hash,
                                  document_type, created_at, updated_at)
           values ($1, $2, $3, 'api', 'a key', $3, 1, $2, $4, $5, now(), now())`,
    values: [accountId, id, name, Buffer.from(id), type],
  })
  const of = { account: { id: accountId, isFiction }, documentId: id }
  const at = () => new Date(clock.now()).toISOString()
  return {
    id,
    read: (fields) =>
      sayDocument(service, { ...of, said: { type, payload: {}, fields, isManual: false, at: at() } }),
    correct: (payload, fields = [], by = { kind: 'api_key', id: 'k1' }) =>
      sayDocument(service, { ...of, said: { type, payload, fields, isManual: true, at: at(), by } }),
    remove: () => sayDocument(service, { ...of, said: null }),
  }
}
