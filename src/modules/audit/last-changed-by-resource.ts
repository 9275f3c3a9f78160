/** `meta.last_changed_by`: who last changed a resource, and when. News from its sources does not count as a change. */

import * as schema from '../../api/shape/schema.ts'
import { actorTypes, type LastChangedBy } from './audit-events-sql.ts'

const by = schema.object({
  actor: schema.object({ type: schema.oneOf(actorTypes), id: schema.textOrNull() }),
  at: schema.instant(),
})

/** For the resource kinds whose readings contain this. */
export const lastChangedBy = {
  properties: {
    last_changed_by: schema.anyOf([by, schema.nothing({ description: 'Null: only its sources changed it.' })]),
  },
  write: ({ lastChangedBy: last }: { readonly lastChangedBy: LastChangedBy | null }) => ({
    // Writes each member, because the database returns the members in another order.
    last_changed_by: last === null ? null : { actor: { type: last.actor.type, id: last.actor.id }, at: last.at },
  }),
} as const
