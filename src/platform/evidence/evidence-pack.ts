/** The shapes of what is signed and hashed: statements, ledger roots, and packs of evidence. */

export const packFormat = 'landfall-evidence/1'

/** The content of the leaf of a statement. Its canonical JSON is hashed. */
export interface StatementLeaf {
  readonly claim_id: string
  readonly source_kind: string
  readonly source_code: string
  readonly observation: unknown
  readonly read_at: string
  readonly recorded_at: string
  /** The hash of the answer that stated it first, as it came, in hexadecimal digits; null where there is none. */
  readonly snapshot_sha256: string | null
}

/** What is signed of a ledger root. */
export interface RootHead {
  readonly account_id: string
  readonly sequence: number
  readonly first_position: number
  readonly last_position: number
  readonly from: string
  readonly to: string
  readonly leaf_count: number
  readonly root: string
  /** The root before it; null for the first. */
  readonly previous_root: string | null
}

/** Ed25519 over the canonical JSON of the rest, in base64url. */
export interface Signature {
  readonly kid: string
  readonly value: string
}
export interface SignedLedgerRoot extends RootHead {
  readonly signature: Signature
}

export interface MerkleProof {
  /** `sequence` of the root. */
  readonly root: number
  readonly index: number
  /** Hexadecimal digits, the nearest to the leaf first. */
  readonly path: readonly string[]
}

export interface ProvenStatement extends StatementLeaf {
  readonly proof: MerkleProof | null
  /** Why there is no proof. */
  readonly not_proven: string | null
}

/** A public key as a JWK (RFC 8037). */
export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
}

export interface PackMoney {
  readonly minor: number
  readonly currency: string
}
export interface AuditedDay {
  readonly finding: 'agrees' | 'disputed' | 'unknown'
  readonly reason: string
  readonly claim_ids: readonly string[]
  readonly billed: PackMoney | null
  readonly amount: PackMoney | null
}

export interface EvidencePack {
  readonly format: typeof packFormat
  readonly account: { readonly id: string; readonly company_name: string }
  readonly audit_id: string
  readonly audited_at: string
  readonly invoice: Readonly<Record<string, unknown>>
  readonly audit: Readonly<Record<string, unknown>> & { readonly days: readonly AuditedDay[] }
  readonly terms: readonly unknown[]
  readonly calendars: readonly unknown[]
  readonly statements: readonly ProvenStatement[]
  readonly roots: readonly SignedLedgerRoot[]
  readonly keys: readonly PublicKey[]
  readonly does_not_prove: readonly string[]
  readonly signature: Signature
}

/** Facts that hashes cannot prove. A pack lists them, and the checker repeats them. */
export const notProven = [
  'That a source spoke the truth: it is proven what it said, and when it was read.',
  'That the terms are those that were agreed. They are what the account put on record, with the time of it.',
  'That nothing was left out before the root was made. What came later than a root cannot be put into it.',
  'Who made the pack, unless you have the key from another place than the pack itself.',
] as const
