/** Statements with the proof that they were on record when a root was made. */

import { refuseWhenUnavailable } from '../../pipeline/response-archive/file-store.ts'
import { canonicalJson } from '../../platform/evidence/canonical-json.ts'
import type { ProvenStatement, SignedLedgerRoot, StatementLeaf } from '../../platform/evidence/evidence-pack.ts'
import { leafHash, type MerkleTree, openTree } from '../../platform/evidence/merkle-tree.ts'
import type { Service } from '../service.ts'
import { findRootOf, type RootWithLeaves, readStatementLeaves } from './ledger-roots-sql.ts'
import { headOf } from './root-head.ts'
import { readLeaves } from './statement-leaves.ts'

const idBytes = 16
const leafBytes = 48

interface OpenRoot {
  readonly row: RootWithLeaves
  readonly hashes: readonly Buffer[]
  readonly tree: MerkleTree
}

export async function proveStatements(
  service: Service,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<{ readonly statements: readonly ProvenStatement[]; readonly roots: readonly SignedLedgerRoot[] }> {
  const { accountId, ids } = of
  const found = await readStatementLeaves(service.pool, of)
  const leaves = await refuseWhenUnavailable(service, () => readLeaves(service, found))
  const byId = new Map(leaves.map((leaf) => [leaf.claim_id, leaf]))
  const opened = new Map<number, OpenRoot>()
  const statements: ProvenStatement[] = []
  for (const id of ids) {
    const leaf = byId.get(id)
    if (leaf === undefined) continue
    const row = await findRootOf(service.pool, { accountId, claimId: id, recordedAt: leaf.recorded_at })
    if (row === null) {
      statements.push({ ...leaf, proof: null, not_proven: 'no root was made since the statement was recorded' })
      continue
    }
    const root = opened.get(row.sequence) ?? openRoot(row)
    opened.set(row.sequence, root)
    statements.push(proveStatement(leaf, root))
  }
  const roots = [...opened.values()].map(({ row }) => ({
    ...headOf(row),
    signature: { kid: row.kid, value: row.signature },
  }))
  return { statements, roots: roots.toSorted((a, b) => a.sequence - b.sequence) }
}

function openRoot(row: RootWithLeaves): OpenRoot {
  const hashes = Array.from({ length: row.leafCount }, (_, at) =>
    row.leaves.subarray(at * leafBytes + idBytes, (at + 1) * leafBytes),
  )
  return { row, hashes, tree: openTree(hashes) }
}

function proveStatement(leaf: StatementLeaf, { row, hashes, tree }: OpenRoot): ProvenStatement {
  const ownHash = leafHash(canonicalJson(leaf))
  const index = hashes.findIndex((each) => each.equals(ownHash))
  if (index < 0) return { ...leaf, proof: null, not_proven: 'the recorded statement differs from the hashed statement' }
  const path = tree.pathOf(index).map((each) => each.toString('hex'))
  return { ...leaf, proof: { root: row.sequence, index, path }, not_proven: null }
}
