/**
 * The place of a statement on a document: the paper, its page and the position on it. The key of the statement names
 * the document and the field; the reading of that time has the position.
 */

import type { DocumentField, Rectangle } from '../../connectors/papers/document.ts'
import type { StoredClaim } from '../../pipeline/projection/claims-sql.ts'
import type { Service } from '../service.ts'
import { type PaperReading, readPapers } from './papers-sql.ts'

export interface PaperProof {
  readonly id: string
  readonly name: string
  /** Null where a person wrote the value. */
  readonly page: number | null
  /** Fractions of the page as it is shown, from its upper left corner. */
  readonly box: Rectangle | null
  /** As it is printed, or as a person wrote it. Treat it as data, whatever it contains. */
  readonly text: string | null
  readonly by: 'rules' | 'model' | 'person'
}

/** By the id of the claim. Empty, and without a question to the database, if no claim is from a document. */
export async function findPaperProofs(
  service: Service,
  accountId: string,
  claims: readonly StoredClaim[],
): Promise<ReadonlyMap<string, PaperProof>> {
  const documentClaims = claims.filter(({ source }) => source.kind === 'document')
  if (documentClaims.length === 0) return new Map()
  const documentIds = [...new Set(documentClaims.map(({ observation }) => parseClaimKey(observation.key).document))]
  const readings = await readPapers(service.pool, { accountId, documentIds })
  return new Map(documentClaims.flatMap((claim) => toPaperProofEntry(claim, readings)))
}

function parseClaimKey(key: string): {
  readonly document: string
  readonly field: string
  readonly containerNumber: string
} {
  const [document = '', , field = '', containerNumber = ''] = key.split('|')
  return { document, field, containerNumber }
}

function toPaperProofEntry(
  claim: StoredClaim,
  readings: readonly PaperReading[],
): readonly (readonly [string, PaperProof])[] {
  const { document, field, containerNumber } = parseClaimKey(claim.observation.key)
  const ownReadings = readings.filter((reading) => reading.documentId === document)
  // The reading that was stated: the last one before the claim was recorded.
  const reading = ownReadings.findLast(({ createdAt }) => createdAt <= claim.recordedAt) ?? ownReadings[0]
  if (reading === undefined) return []
  const printed = findField(reading.fields, field, containerNumber)
  const of = { id: document, name: reading.documentName }
  return [
    [
      claim.id,
      reading.isManual
        ? { ...of, page: null, box: null, text: null, by: 'person' }
        : {
            ...of,
            page: printed?.page ?? null,
            box: printed?.box ?? null,
            text: printed?.text ?? null,
            by: printed?.by ?? 'rules',
          },
    ],
  ]
}

/** `containers[].seal_number` of a container is the field of the row that has its number. */
function findField(fields: readonly DocumentField[], name: string, containerNumber: string): DocumentField | undefined {
  if (!name.includes('[]')) return fields.find((field) => field.name === name)
  const row = fields.find((field) => field.name.endsWith('].number') && field.value === containerNumber)
  return fields.find((field) => field.name === name.replace('[]', row?.name.match(/\[\d+\]/)?.[0] ?? ''))
}
