/** Who sends a document, as text: the address of a person, the name of a key, the name of an app. */

import type { Context } from '../access/context.ts'
import type { Service } from '../service.ts'
import { findAdderName } from './adder-name-sql.ts'

export interface Adder {
  readonly userId: string | null
  readonly addedBy: string
}

export async function adderOf(service: Service, { account, actor }: Context): Promise<Adder> {
  if (actor.kind === 'system') return { userId: null, addedBy: 'Landfall' }
  const name = await findAdderName(service.pool, { accountId: account.id, kind: actor.kind, id: actor.id })
  return { userId: actor.kind === 'user' ? actor.id : null, addedBy: name ?? actor.kind }
}
