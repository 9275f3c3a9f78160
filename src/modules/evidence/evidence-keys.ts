/** The key with which this installation signs evidence (Ed25519), and all keys that it ever signed with. */

import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { inTransaction } from '../../db/database.ts'
import { canonicalJson } from '../../platform/evidence/canonical-json.ts'
import type { PublicKey, Signature } from '../../platform/evidence/evidence-pack.ts'
import { realNow, type Service } from '../service.ts'
import { type EvidenceKeyRow, insertFirstKey, listEvidenceKeys } from './evidence-keys-sql.ts'

/** Newest first. The first call makes the first key. */
export async function getEvidenceKeys(service: Service): Promise<readonly PublicKey[]> {
  return (await keysOf(service)).map(({ publicKey }) => publicKey)
}

export type Sign = (content: object) => Signature

/** Signs the canonical JSON with the newest key. */
export async function openSigner(service: Service): Promise<Sign> {
  const [newest] = await keysOf(service)
  if (newest === undefined) throw new Error('no evidence key was found after one was created')
  const key = createPrivateKey({
    key: JSON.parse(service.encryption.decrypt(newest.encryptedKey)),
    format: 'jwk',
  })
  return (content) => ({
    kid: newest.kid,
    value: sign(null, Buffer.from(canonicalJson(content)), key).toString('base64url'),
  })
}

async function keysOf(service: Service): Promise<readonly EvidenceKeyRow[]> {
  const known = await listEvidenceKeys(service.pool)
  if (known.length > 0) return known
  const made = await makeKey(service)
  await inTransaction(service.pool, (db) => insertFirstKey(db, made))
  // Ours, or one that another process made first.
  return listEvidenceKeys(service.pool)
}

async function makeKey(service: Service): Promise<EvidenceKeyRow> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d, x = '' } = privateKey.export({ format: 'jwk' })
  const shape = { kty: 'OKP', crv: 'Ed25519', x } as const
  const { calculateJwkThumbprint } = await import('jose')
  const kid = await calculateJwkThumbprint(shape)
  const encryptedKey = service.encryption.encrypt(JSON.stringify({ ...shape, d }))
  return { kid, encryptedKey, publicKey: { ...shape, kid }, madeAt: realNow(service) }
}
