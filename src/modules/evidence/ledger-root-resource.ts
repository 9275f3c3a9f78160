/** `ledger_root`: one hash over what the ledger of the account ingested since the root before, signed. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import type { RootRow } from './ledger-roots-sql.ts'
import { headOf } from './root-head.ts'

export interface LedgerRootReading extends IdentifiedReading {
  readonly type: 'ledger_root'
  readonly row: RootRow
}

export function readLedgerRoot(row: RootRow): LedgerRootReading {
  return { type: 'ledger_root', id: row.id, row }
}

const whole = Type.Integer({ minimum: 1 })
/** A text and no time of the wire: it is what was signed, to the letter. */
const moment = schema.text({ description: 'ISO 8601, as it was signed.' })

export const ledgerRoot: ResourceKind<LedgerRootReading> = {
  type: 'ledger_root',
  attributes: {
    head: schema.object(
      {
        account_id: schema.text(),
        sequence: whole,
        first_position: whole,
        last_position: whole,
        from: moment,
        to: moment,
        leaf_count: whole,
        root: schema.text({ description: 'SHA-256 in hexadecimal digits.' }),
        previous_root: schema.textOrNull({ description: 'Root of the previous sequence; null for the first.' }),
      },
      { description: 'What is signed: the canonical JSON (RFC 8785) of this object.' },
    ),
    kid: schema.text({ description: 'Id of the key in `/.well-known/landfall-evidence-keys.json`.' }),
    signature: schema.text({ description: 'Ed25519, in base64url.' }),
    made_at: schema.instant(),
  },
  relations: {},
  // As text, so that no time in it is written otherwise than it was signed.
  write: ({ row }) => ({ head: headOf(row), kid: row.kid, signature: row.signature, made_at: row.madeAt }),
  link: () => ({}),
  self: ({ id }) => `/ledger_roots/${id}`,
}
