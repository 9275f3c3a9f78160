/** Links a document to the shipments and containers that its numbers name. Links that people made or removed stay. */

import type { Db } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { realNow, type Service } from '../service.ts'
import {
  type DocumentLink,
  findReferenceMatches,
  findShipmentsOfCustomer,
  readLinks,
  replaceLinks,
} from './document-links-sql.ts'
import { readReferences } from './document-readings-sql.ts'
import type { Candidate, DocumentRow } from './documents-sql.ts'
import { planLinks } from './plan-links.ts'

/** Call it in a transaction that has locked the document. Returns further shipments to which it may belong. */
export async function linkDocument(
  db: Db,
  service: Service,
  document: DocumentRow,
  /** When the document was written, and the companies that it is for, as far as it states this. */
  dateAndParties: { readonly writtenAt: string | null; readonly companies: readonly string[] },
): Promise<readonly Candidate[]> {
  const of = { accountId: document.accountId, documentId: document.id }
  const references = await readReferences(db, of)
  const before = await readLinks(db, of)
  const personLinks = before.filter(({ foundBy }) => foundBy === 'person')
  const fits = references.length === 0 ? [] : await findReferenceMatches(db, { ...of, references })
  const { found, candidates } = planLinks({
    fits,
    personLinks,
    documentAt: dateAndParties.writtenAt ?? document.createdAt,
  })
  const isPersonLink = (link: Pick<DocumentLink, 'shipmentId' | 'containerId'>): boolean =>
    personLinks.some((each) => each.shipmentId === link.shipmentId && each.containerId === link.containerId)
  const links = found
    .filter((link) => !isPersonLink(link))
    .map((link): DocumentLink => {
      const known = before.find((each) => each.shipmentId === link.shipmentId && each.containerId === link.containerId)
      return { id: known?.id ?? uuidV7(service.clock.now()), ...link, isDenied: false }
    })
  await replaceLinks(db, { ...of, links: [...personLinks, ...links], at: realNow(service) })
  if (links.length > 0 || candidates.length > 0 || personLinks.some(({ isDenied }) => !isDenied)) return candidates
  return candidatesByCustomer(db, document.accountId, dateAndParties.companies)
}

/** A name is no number: it links nothing, and only helps a person to decide. */
async function candidatesByCustomer(
  db: Db,
  accountId: string,
  companies: readonly string[],
): Promise<readonly Candidate[]> {
  if (companies.length === 0) return []
  const found = await findShipmentsOfCustomer(db, { accountId, names: companies, limit: candidatesMax })
  return found.map(({ shipmentId, companyName }) => ({
    shipmentId,
    because: 'customer',
    detail: `The document names ${companyName}, the customer of this shipment.`,
  }))
}

const candidatesMax = 20
