/** The key that the authorization server signs with (ES256): made once for the installation, sealed at rest. */

import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { keepSetting } from '../../store/accounts.ts'
import type { Service } from '../service.ts'

/** The same for all processes, whoever of them came first. */
export async function getSigningKey({ pool, vault }: Service): Promise<JsonWebKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const made = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
  const kept = await keepSetting(pool, 'oauth_signing_key', {
    sealed: vault.seal(JSON.stringify(made)).toString('base64'),
  })
  return JSON.parse(vault.open(Buffer.from(kept.sealed, 'base64'))) as JsonWebKey
}
