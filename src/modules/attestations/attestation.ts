/**
 * A signed report of one installation about one line: what its answers look like and how much of them is read. It has
 * no number, party, secret or free text, so that operators can give it to each other. Checking one needs no
 * installation.
 */

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { Static } from 'typebox'
import { checkAgainst } from '../../connectors/check-schema.ts'
import { membersOf } from '../../domain/values/json-value.ts'
import { err, type Result } from '../../domain/values/result.ts'
import { canonicalJson } from '../../platform/evidence/canonical-json.ts'
import { Type } from '../../platform/json-schema.ts'

const format = 'landfall-attestation/1'

const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0, maximum: 1e9 })
const name = '[A-Za-z][A-Za-z_-]{0,60}'
const names = Type.Array(Type.String({ pattern: `^${name}$` }), { maxItems: 1_000 })
const path = Type.String({ pattern: `^[A-Za-z_\\[\\].-]{1,600} (string|number|boolean)$` })
const codes = Type.Record(
  Type.String({ pattern: `^${name}$` }),
  Type.Array(Type.String({ pattern: '^[A-Z][A-Z_-]{0,39}$' }), { maxItems: 200 }),
  closed,
)

const schema = Type.Object(
  {
    format: Type.Literal(format),
    /** SCAC. */
    line: Type.String({ pattern: '^[A-Z]{4}$' }),
    access: Type.Object(
      {
        kind: Type.Union([Type.Literal('request'), Type.Literal('push')]),
        language: Type.String({ pattern: '^[a-z][a-z-]{1,30}$' }),
      },
      closed,
    ),
    /** Version of the interface as the profile names it; null where it names none. */
    interface: Type.Union([Type.String({ pattern: '^\\d{1,2}(\\.\\d{1,2})?$' }), Type.Null()]),
    reader: Type.Object({ name: Type.String({ pattern: '^[a-z][a-z-]{1,30}$' }), version: count }, closed),
    program: Type.String({ pattern: '^[0-9]{1,3}(\\.[0-9]{1,3}){2}(-[a-z0-9.]{1,20})?$' }),
    /** UTC. */
    day: Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' }),
    /** True for the sandbox, and for an address that nobody else can reach. */
    simulated: Type.Boolean(),
    /** Number of answers that the shape and the codes rest on. */
    answers: count,
    /** Of the newest answers: events that had to be read, by how much was read of them. */
    events: Type.Object(
      {
        answers: count,
        read: count,
        partly: count,
        lost: count,
        share: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]),
      },
      closed,
    ),
    shape: Type.Object(
      {
        /** SHA-256 of `members`, as canonical JSON. */
        digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
        /** The first 16 hexadecimal digits of the SHA-256 of each path with its type. */
        members: Type.Array(Type.String({ pattern: '^[0-9a-f]{16}$' }), { maxItems: 1_000 }),
        /** Paths with types that the reader does not know. */
        unknown: Type.Array(path, { maxItems: 1_000 }),
        /** Number of paths whose names may be anything, such as numbers or names of companies. */
        unnamed: count,
        /** Members that the reader knows: those that nearly all answers had, and those that none had. */
        always: names,
        missing: names,
      },
      closed,
    ),
    codes: Type.Object(
      {
        /** Codes that the reader knows, by member. */
        seen: codes,
        /** Number of codes that it does not know, by member. */
        unknown: Type.Record(Type.String({ pattern: `^${name}$` }), count, closed),
        /** Those of them that the operator chose to show. */
        shown: codes,
      },
      closed,
    ),
    /** Public key of the installation (Ed25519, base64url). It counts as one installation. */
    key: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
    /** Ed25519 over the canonical JSON (RFC 8785) of all other members, in base64url. */
    signature: Type.String({ pattern: '^[A-Za-z0-9_-]{86}$' }),
  },
  closed,
)
export type Attestation = Static<typeof schema>

/** What the head of a private key is in PKCS #8 (RFC 8410); its 32 bytes follow. */
const keyHead = Buffer.from('302e020100300506032b657004220420', 'hex')

/** `seed`: the 32 bytes of the private key. */
export function signAttestation(content: Omit<Attestation, 'format' | 'key' | 'signature'>, seed: Buffer): Attestation {
  const privateKey = createPrivateKey({ key: Buffer.concat([keyHead, seed]), format: 'der', type: 'pkcs8' })
  const { x: key = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const signed = { format, ...content, key } as const
  return { ...signed, signature: sign(null, Buffer.from(canonicalJson(signed)), privateKey).toString('base64url') }
}

/** The attestation of a file; otherwise the reason why it is none. */
export function checkAttestation(text: string): Result<Attestation, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err('it is not JSON')
  }
  const { format: given, signature } = membersOf(json)
  if (given !== format) return err(`its format is not ${format}`)
  if (signature === undefined) return err('it has no signature')
  const checked = checkAgainst(schema, json)
  if (!checked.ok) return err(`it does not have the form of an attestation: ${checked.reason}`)
  return isSigned(checked.value) ? checked : err('it was changed after it was signed, or signed with another key')
}

function isSigned({ signature, ...signed }: Attestation): boolean {
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signed.key }, format: 'jwk' })
    return verify(null, Buffer.from(canonicalJson(signed)), publicKey, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
