/** Who makes a thing that is shown with its author. */

import type { Context } from '../access/context.ts'
import type { AuthorId } from '../audit/author-sql.ts'

export function authorOf({ actor }: Context): AuthorId {
  return { type: actor.kind, id: actor.kind === 'system' ? null : actor.id }
}

/** The person who acts; null for a key, an app or the operator. They act for the whole account. */
export function personOf({ actor }: Context): string | null {
  return actor.kind === 'user' ? actor.id : null
}
