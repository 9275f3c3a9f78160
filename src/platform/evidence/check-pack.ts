/**
 * Checks a pack of evidence without any server: who signed it, whether its statements are those that were hashed, and
 * whether the roots are those that somebody holds. The same code is bundled into a file that needs nothing but Node.
 */

import { createPublicKey, verify } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import {
  type AuditedDay,
  type EvidencePack,
  notProven,
  type PackMoney,
  type ProvenStatement,
  type PublicKey,
  packFormat,
  type RootHead,
  type SignedLedgerRoot,
} from './evidence-pack.ts'
import { leafHash, rootOfPath } from './merkle-tree.ts'

export interface Finding {
  readonly outcome: 'good' | 'bad' | 'open'
  readonly sentence: string
}
export interface PackCheck {
  /** No finding is bad. An open finding was not checked, because a file is missing. */
  readonly isGood: boolean
  readonly findings: readonly Finding[]
  readonly notProven: readonly string[]
}

export interface TrustedMaterial {
  /** Roots that the account holds itself, from webhooks or from `/v2/ledger_roots`. */
  readonly roots: readonly SignedLedgerRoot[] | null
  /** Keys that were published, got from another place than the pack. */
  readonly keys: readonly PublicKey[] | null
}

export function checkPack(input: unknown, { roots, keys }: TrustedMaterial): PackCheck {
  const pack = input as EvidencePack
  if (typeof input !== 'object' || input === null || pack.format !== packFormat)
    return summarizeFindings([bad(`This is no pack of the format ${packFormat}.`)])
  try {
    return summarizeFindings([
      ...checkKeys(pack, keys),
      checkSignature(pack, keys ?? pack.keys),
      ...pack.roots.flatMap((root) => checkRoot(root, pack, { roots, keys: keys ?? pack.keys })),
      ...pack.statements.map((statement) => checkStatement(statement, pack)),
      ...checkDays(pack),
    ])
  } catch (error) {
    return summarizeFindings([bad(`The pack is damaged: ${error instanceof Error ? error.message : String(error)}`)])
  }
}

function checkKeys(pack: EvidencePack, keys: readonly PublicKey[] | null): readonly Finding[] {
  if (keys !== null) return []
  return [open(`The key ${pack.signature.kid} comes from the pack itself. Compare it with the published one.`)]
}

function checkSignature({ signature, ...rest }: EvidencePack, keys: readonly PublicKey[]): Finding {
  return isSigned(rest, signature, keys)
    ? good(`The pack is signed by the key ${signature.kid}.`)
    : bad(`The pack is not signed by a known key, or it was changed (${signature.kid}).`)
}

function checkRoot(root: SignedLedgerRoot, { account }: EvidencePack, held: TrustedMaterial): readonly Finding[] {
  const { signature, ...head } = root
  const name = `Root ${root.sequence} (${root.to})`
  const findings: Finding[] = []
  if (root.account_id !== account.id) findings.push(bad(`${name} belongs to another account.`))
  findings.push(
    isSigned(head, signature, held.keys ?? [])
      ? good(`${name} is signed by the key ${signature.kid}.`)
      : bad(`${name} has no valid signature.`),
  )
  const heldRoot = held.roots?.find(
    ({ account_id: id, sequence }) => id === root.account_id && sequence === root.sequence,
  )
  if (held.roots === null) findings.push(open(`${name} was not compared: no roots of your own were given.`))
  else if (heldRoot === undefined) findings.push(open(`${name} is not among the roots that you hold.`))
  else
    findings.push(
      canonicalJson(headOf(heldRoot)) === canonicalJson(headOf(root))
        ? good(`${name} is the one that you hold.`)
        : bad(`${name} is not the one that you hold: what was on record was changed.`),
    )
  return findings
}

function headOf(root: SignedLedgerRoot): RootHead {
  const { account_id, sequence, first_position, last_position, from, to, leaf_count, previous_root } = root
  return {
    account_id,
    sequence,
    first_position,
    last_position,
    from,
    to,
    leaf_count,
    root: root.root,
    previous_root,
  }
}

function checkStatement(statement: ProvenStatement, { roots }: EvidencePack): Finding {
  const { proof, not_proven: why, ...leaf } = statement
  const name = `Statement ${leaf.claim_id} of ${leaf.source_kind} ${leaf.source_code}`
  if (proof === null) return open(`${name} is not proven: ${why ?? 'no reason is given'}.`)
  const root = roots.find(({ sequence }) => sequence === proof.root)
  if (root === undefined) return bad(`${name} names a root that is not in the pack.`)
  const { observation, ...rest } = leaf
  const content = canonicalJson({ ...pickHashedFields(rest), observation })
  const reached = rootOfPath(leafHash(content), {
    index: proof.index,
    size: root.leaf_count,
    path: proof.path.map((each) => Buffer.from(each, 'hex')),
  })
  return reached?.toString('hex') === root.root
    ? good(`${name} is in root ${root.sequence}, so it was on record by ${root.to}.`)
    : bad(`${name} is not what was on record when root ${root.sequence} was made.`)
}

type HashedFields = Omit<ProvenStatement, 'proof' | 'not_proven' | 'observation'>

/** Only the fields that are hashed, without any other fields. */
function pickHashedFields({
  claim_id,
  source_kind,
  source_code,
  read_at,
  recorded_at,
  snapshot_sha256,
}: HashedFields): HashedFields {
  return { claim_id, source_kind, source_code, read_at, recorded_at, snapshot_sha256 }
}

function checkDays({ audit, statements }: EvidencePack): readonly Finding[] {
  const known = new Set(statements.map(({ claim_id: id }) => id))
  const named = new Set(audit.days.flatMap(({ claim_ids: ids }) => ids))
  const absent = [...named].filter((id) => !known.has(id))
  const short = sumsByFinding.flatMap(([finding, name]) => {
    const statedSums = (audit[name] as readonly PackMoney[]).map(({ minor, currency }) => [currency, minor] as const)
    return [...sumAmountsByCurrency(audit.days, finding)].flatMap(([currency, minor]) =>
      (new Map(statedSums).get(currency) ?? 0) < minor ? [`${name} in ${currency}`] : [],
    )
  })
  return [
    absent.length === 0
      ? good(`Each of the ${audit.days.length} days names statements that are in the pack.`)
      : bad(`Days name ${absent.length} statements that are not in the pack: ${absent.join(', ')}.`),
    short.length === 0
      ? good('The sums cover the days.')
      : bad(`The days add up to more than the sums: ${short.join(', ')}.`),
  ]
}

const sumsByFinding = [
  ['agrees', 'agreed'],
  ['disputed', 'in_dispute'],
  ['unknown', 'not_judged'],
] as const

/**
 * For a day whose rate is too high, the amount by our rate agrees and the difference is in dispute. A sum may have
 * lines beside the days.
 */
function sumAmountsByCurrency(
  days: EvidencePack['audit']['days'],
  finding: AuditedDay['finding'],
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  for (const { billed, amount, reason, finding: found } of days) {
    if (billed === null) continue
    const isSplit = reason === 'lower_rate' && amount !== null
    const ownAmount = isSplit ? amount.minor : 0
    const share = isSplit && finding === 'agrees' ? ownAmount : found === finding ? billed.minor - ownAmount : 0
    shares.set(billed.currency, (shares.get(billed.currency) ?? 0) + share)
  }
  return shares
}

function isSigned(signed: object, { kid, value }: EvidencePack['signature'], keys: readonly PublicKey[]): boolean {
  const key = keys.find((each) => each.kid === kid)
  if (key === undefined) return false
  const { kty, crv, x } = key
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  return verify(null, Buffer.from(canonicalJson(signed)), publicKey, Buffer.from(value, 'base64url'))
}

function summarizeFindings(findings: readonly Finding[]): PackCheck {
  return { isGood: findings.every(({ outcome }) => outcome !== 'bad'), findings, notProven }
}
const good = (sentence: string): Finding => ({ outcome: 'good', sentence })
const bad = (sentence: string): Finding => ({ outcome: 'bad', sentence })
const open = (sentence: string): Finding => ({ outcome: 'open', sentence })
