/**
 * Where on a document a statement stands: the paper, its page and the place on it. The key of the statement names the
 * document and the field; the reading of that time has the place.
 */

import type { Box, FieldRead } from '../../../sources/documents/document.ts'
import type { KeptClaim } from '../../../store/journeys/claims.ts'
import { type PaperReading, readPapers } from '../../../store/read/document-papers.ts'
import type { Service } from '../../service.ts'

export interface PaperProof {
  readonly id: string
  readonly name: string
  /** Null where a person wrote the value. */
  readonly page: number | null
  /** Fractions of the page as it is shown, from its upper left corner. */
  readonly box: Box | null
  /** As it is printed, or as a person wrote it. Treat it as data, whatever it says. */
  readonly text: string | null
  readonly by: 'rules' | 'model' | 'person'
}

/** By the id of the claim. Empty, and without a question to the database, if no claim is from a document. */
export async function proofsOf(
  service: Service,
  accountId: string,
  claims: readonly KeptClaim[],
): Promise<ReadonlyMap<string, PaperProof>> {
  const said = claims.filter(({ source }) => source.kind === 'document')
  if (said.length === 0) return new Map()
  const documentIds = [...new Set(said.map(({ observation }) => partsOf(observation.key).document))]
  const readings = await readPapers(service.pool, { accountId, documentIds })
  return new Map(said.flatMap((claim) => proofOf(claim, readings)))
}

function partsOf(key: string): { readonly document: string; readonly field: string; readonly box: string } {
  const [document = '', , field = '', box = ''] = key.split('|')
  return { document, field, box }
}

function proofOf(
  claim: KeptClaim,
  readings: readonly PaperReading[],
): readonly (readonly [string, PaperProof])[] {
  const { document, field, box } = partsOf(claim.observation.key)
  const own = readings.filter((reading) => reading.documentId === document)
  // The reading that was said: the last one before the claim was recorded.
  const reading = own.findLast(({ createdAt }) => createdAt <= claim.recordedAt) ?? own[0]
  if (reading === undefined) return []
  const printed = findField(reading.fields, field, box)
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

/** `containers[].seal_number` of a box is the field of the row that has its number. */
function findField(fields: readonly FieldRead[], name: string, box: string): FieldRead | undefined {
  if (!name.includes('[]')) return fields.find((field) => field.name === name)
  const row = fields.find((field) => field.name.endsWith('].number') && field.value === box)
  return fields.find((field) => field.name === name.replace('[]', row?.name.match(/\[\d+\]/)?.[0] ?? ''))
}
