/** Documents as the APIs show them: one, several, or a page of all that are not deleted. */

import type { DocumentField, DocumentType } from '../../connectors/papers/document.ts'
import type { Db } from '../../db/database.ts'
import { type ConditionsMaker, makeConditions } from '../../db/listing/conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { LinkFinder } from './document-links-sql.ts'
import { type DocumentRow, documentColumns, extractWords } from './documents-sql.ts'

export interface LinkReading {
  readonly shipmentId: string
  readonly containerId: string | null
  readonly foundBy: LinkFinder
}

export interface DocumentReading extends DocumentRow {
  readonly type: 'document'
  /** Shipments and containers to which it belongs, and which are still there. Oldest link first. */
  readonly links: readonly LinkReading[]
}

/**
 * `d` is the document, $1 its account. A link that a person removed, and one to a shipment that is gone, is not shown.
 */
const linksOf = `coalesce((
  select json_agg(json_build_object('shipmentId', l.shipment_id, 'containerId', l.container_id, 'foundBy', l.found_by)
                  order by l.created_at, l.id)
    from document_links l
    join shipments s on s.account_id = $1 and s.id = l.shipment_id
    left join containers c on c.account_id = $1 and c.id = l.container_id
   where l.account_id = $1 and l.document_id = d.id and not l.is_denied
     and (l.container_id is null or c.id is not null)), '[]')`

const columns = `'document' as type, ${documentColumns}, ${linksOf} as links`

/** In no order. Deleted documents are not returned, except those that a webhook must still report. */
export async function findDocumentReadings(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[]; readonly alsoDiscarded?: boolean },
): Promise<readonly DocumentReading[]> {
  const { rows } = await db.query<DocumentReading>({
    name: 'document_readings',
    text: `select ${columns} from documents d
            where account_id = $1 and id = any($2::uuid[]) and (discarded_at is null or $3)`,
    values: [of.accountId, of.ids, of.alsoDiscarded === true],
  })
  return rows
}

const sorts = {
  document_type: { column: 'shown_type', type: 'text' },
  added_by: { column: 'added_by', type: 'text' },
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Readonly<Record<string, SortColumn>>
type SortName = keyof typeof sorts
export type DocumentOrder = SortName | `-${SortName}`

export interface DocumentFilter {
  /** Words of the name of the file, all of them. */
  readonly fileName: string | null
  /** A number that the document names, tidied. */
  readonly reference: string | null
  readonly documentTypes: readonly DocumentType[] | null
  /** To which it belongs. */
  readonly shipmentId?: string | null
}

/**
 * Measured with a million documents of the account and 300,000 of another: 3 to 5 ms in each order and by each kind, 2 ms
 * by a rare word or a number, 39 ms by a word that a third of the names have.
 */
export async function listDocumentReadings(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: DocumentFilter
    readonly order: DocumentOrder
    readonly page: PageRequest
  },
): Promise<Page<DocumentReading>> {
  const { accountId, filter, order, page } = list
  const conditions = makeConditions('d', accountId)
  conditions.addText('d.discarded_at is null')
  await addFileName(db, conditions, { accountId, fileName: filter.fileName })
  if (filter.reference !== null)
    conditions.addFewText(`d.id in (select r.document_id from document_references r
                                     where r.account_id = $1 and r.number = ${conditions.bind(filter.reference)})`)
  if (filter.shipmentId != null)
    conditions.addFewText(`d.id in (select l.document_id from document_links l
                                     where l.account_id = $1 and l.shipment_id = ${conditions.bind(filter.shipmentId)} and not l.is_denied)`)
  conditions.addAnyOf('d.shown_type', filter.documentTypes)
  const { rows, ...rest } = await readListing<DocumentReading>(db, {
    table: 'documents',
    alias: 'd',
    select: rowJson(columns),
    joins: '',
    ...readOrder(sorts, order),
    conditions,
    page,
    isCounted: true,
  })
  return { rows: rows.map(readJsonRow), ...rest }
}

/** This many or more are found soon in the list's own order, so the list searches them there (see labelled.ts). */
const manyMin = 1_000

async function addFileName(
  db: Db,
  conditions: ConditionsMaker,
  { accountId, fileName }: { readonly accountId: string; readonly fileName: string | null },
): Promise<void> {
  if (fileName === null) return
  const words = extractWords(fileName)
  if (words.length === 0) {
    conditions.addFewText('false')
    return
  }
  const { rows } = await db.query<{ ids: readonly string[] | null }>({
    text: `with found as materialized (
             select id from documents
              where account_id = $1 and discarded_at is null
                and label_terms(account_id, file_words, '{}'::text[]) @> label_terms($1, $2::text[], '{}'::text[])
                -- The index knows hashes alone.
                and file_words @> $2::text[])
           select case when count(*) < $3 then coalesce(array_agg(id), '{}') end as ids
             from (select id from found limit $3) as few`,
    values: [accountId, words, manyMin],
  })
  const ids = rows[0]?.ids ?? null
  conditions.addFew('d.id', ids)
  if (ids === null) conditions.addText(`d.file_words @> ${conditions.bind(words)}::text[]`)
}

function readJsonRow(row: DocumentReading): DocumentReading {
  return {
    ...row,
    createdAt: getJsonInstant(row.createdAt),
    updatedAt: getJsonInstant(row.updatedAt),
    discardedAt: readJsonInstant(row.discardedAt),
  }
}

export interface RepresentationReading {
  readonly type: 'document_representation'
  readonly id: string
  readonly documentId: string
  readonly documentType: DocumentType
  readonly schemaVersion: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly fields: readonly DocumentField[]
  /** A person wrote it. */
  readonly isManual: boolean
  readonly readerVersion: number | null
  readonly createdAt: string
}

/** For the statements alone: with the members of a document that no API shows. */
export interface WholeRepresentation extends RepresentationReading {
  readonly encryptedFields: Buffer | null
}

/** All readings of a document, the earliest first. */
export async function listRepresentations(
  db: Db,
  of: { readonly accountId: string; readonly documentId: string },
): Promise<readonly WholeRepresentation[]> {
  const { rows } = await db.query<WholeRepresentation>({
    name: 'document_representations_list',
    text: `select 'document_representation' as type, id, document_id as "documentId", document_type as "documentType",
                  schema_version as "schemaVersion", payload, fields, is_manual as "isManual",
                  reader_version as "readerVersion", created_at as "createdAt", sealed_fields as "encryptedFields"
             from document_representations where account_id = $1 and document_id = $2 order by created_at, id`,
    values: [of.accountId, of.documentId],
  })
  return rows
}

/** In no order. */
export async function findRepresentations(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly RepresentationReading[]> {
  const { rows } = await db.query<RepresentationReading>({
    name: 'document_representations_find',
    text: `select 'document_representation' as type, id, document_id as "documentId", document_type as "documentType",
                  schema_version as "schemaVersion", payload, fields, is_manual as "isManual",
                  reader_version as "readerVersion", created_at as "createdAt"
             from document_representations where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  return rows
}
