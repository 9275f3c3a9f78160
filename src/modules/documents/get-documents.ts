/** Documents of the account: one, several by their ids, or a page of all. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { normalizeMentionedNumber } from '../../pipeline/ledger/known-numbers.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  type DocumentFilter,
  type DocumentOrder,
  type DocumentReading,
  findDocumentReadings,
  findRepresentations,
  listDocumentReadings,
  type RepresentationReading,
} from './list-documents-sql.ts'

export async function getDocument(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<DocumentReading> {
  const [document] = await getDocuments(service, context, { ids: [input.id] })
  if (document === undefined) throw notFound('document')
  return document
}

/** Returns those of the ids that the account has, in no order. `alsoDiscarded`: for events about what was deleted since. */
export async function getDocuments(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[]; readonly alsoDiscarded?: boolean },
): Promise<readonly DocumentReading[]> {
  requireScope(context, 'read')
  return findDocumentReadings(service.pool, { accountId: context.account.id, ...input })
}

/** `reference`: a number as anybody may write it. */
export async function listDocuments(
  service: Service,
  context: Context,
  input: { readonly filter: DocumentFilter; readonly order: DocumentOrder; readonly page: PageRequest },
): Promise<Page<DocumentReading>> {
  requireScope(context, 'read')
  const { reference } = input.filter
  return listDocumentReadings(service.pool, {
    accountId: context.account.id,
    ...input,
    filter: { ...input.filter, reference: reference === null ? null : normalizeMentionedNumber(reference) },
  })
}

/** Returns those of the ids that the account has, in no order. */
export async function getRepresentations(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly RepresentationReading[]> {
  requireScope(context, 'read')
  return findRepresentations(service.pool, { accountId: context.account.id, ids: input.ids })
}
