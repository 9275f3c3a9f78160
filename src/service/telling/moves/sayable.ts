/** Which moves each form of message can say without a guess. */

import type { Move } from '../../../store/telling/moves.ts'
import type { WebhookFormat } from '../../../store/telling/webhooks.ts'
import { edifactCodeOf, x12CodeOf } from './edi-codes.ts'
import { sayMove } from './said-move.ts'

export function isSayable(move: Move, format: WebhookFormat): boolean {
  switch (format) {
    case 'dcsa_2':
    case 'dcsa_3':
      return (sayMove(move)?.at ?? null) !== null
    case 'x12_315':
      return x12CodeOf(move) !== null
    case 'iftsta':
      return edifactCodeOf(move) !== null
  }
}
