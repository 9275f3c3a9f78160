/** Which moves each form of message can express without a guess. */

import type { WebhookFormat } from '../webhooks/webhooks-sql.ts'
import { edifactCodeOf, x12CodeOf } from './edi-codes.ts'
import { toMoveStatement } from './move-statement.ts'
import type { Move } from './moves-sql.ts'

export function isExpressible(move: Move, format: WebhookFormat): boolean {
  switch (format) {
    case 'dcsa_2':
    case 'dcsa_3':
      return (toMoveStatement(move)?.at ?? null) !== null
    case 'x12_315':
      return x12CodeOf(move) !== null
    case 'iftsta':
      return edifactCodeOf(move) !== null
  }
}
