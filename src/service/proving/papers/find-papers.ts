/**
 * Where in its document a statement was read: the page, the place on it, and what is printed there. A page that anybody
 * may open is shown none of it.
 */

import type { Claim } from '../../../core/statements/observation.ts'
import type { Box } from '../../../sources/documents/document.ts'
import { openProofs, type Proof } from '../../../sources/documents/said/proof.ts'
import { namesOfDocuments, wordsOfClaims } from '../../../store/read/document-proofs.ts'
import type { Context } from '../../context.ts'
import { openSnapshotBody } from '../../ground/sealed-bodies.ts'
import type { Service } from '../../service.ts'

export interface Paper {
  readonly id: string
  /** As it is called now; null for a document that is not known any more. */
  readonly name: string | null
  /** The date that it bears, as it was read. */
  readonly writtenOn: string | null
  /** The path in the document's data: `free_time[0].last_free_day`. */
  readonly field: string | null
  /** From 1; null for what a person wrote that was read nowhere. */
  readonly page: number | null
  readonly box: Box | null
  /** What is printed there. */
  readonly text: string | null
  readonly confidence: number | null
  /** Null where the word of the document is not stored any more. */
  readonly how: 'read' | 'confirmed' | 'corrected' | null
  readonly at: string | null
  /** Who confirmed or corrected it. */
  readonly person: { readonly kind: string; readonly id: string | null } | null
}

/** A claim of a document, with the delivery by which it stands. */
export type SaidByPaper = Pick<Claim, 'id' | 'source' | 'observation' | 'deliveryKey'> & {
  readonly subjectId: string | null
}

/** By id of the claim. Claims of others than documents are left out. */
export async function findPapers(
  { pool, vault }: Pick<Service, 'pool' | 'vault'>,
  { account, isEmbedded }: Pick<Context, 'account' | 'isEmbedded'>,
  claims: readonly SaidByPaper[],
): Promise<ReadonlyMap<string, Paper>> {
  const said = claims.filter(({ source }) => source.kind === 'document' && isUuid(source.code))
  if (said.length === 0 || isEmbedded === true) return new Map()
  const deliveries = new Map(
    said.flatMap(({ subjectId, deliveryKey }) =>
      subjectId === null || deliveryKey === null
        ? []
        : [[`${subjectId} ${deliveryKey}`, { subjectId, deliveryKey }] as const],
    ),
  )
  const accountId = account.id
  const words = await wordsOfClaims(pool, { accountId, deliveries: [...deliveries.values()] })
  const proofs = new Map(
    words.map(({ subjectId, deliveryKey, snapshotId, body, recordedAt }) => [
      `${subjectId} ${deliveryKey}`,
      openProofs(openSnapshotBody(vault, { id: snapshotId, body }), recordedAt),
    ]),
  )
  const ids = [...new Set(said.map(({ source }) => source.code))]
  const names = await namesOfDocuments(pool, { accountId, ids })
  return new Map(
    said.map(({ id, source, observation, subjectId, deliveryKey }) => {
      const proof = proofs.get(`${subjectId} ${deliveryKey}`)?.(observation) ?? null
      return [id, paperOf(source.code, names.get(source.code) ?? null, proof)]
    }),
  )
}

function paperOf(id: string, name: string | null, proof: Proof | null): Paper {
  const { field = null, writtenOn = null, at = null, person = null } = proof ?? {}
  return {
    id,
    name,
    writtenOn,
    field: field?.name ?? null,
    page: field?.page ?? null,
    box: field?.box ?? null,
    text: field?.text ?? null,
    confidence: field?.confidence ?? null,
    how: field?.by ?? null,
    at,
    person,
  }
}

/** A document of which nothing is known any more has no id. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
