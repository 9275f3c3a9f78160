/** Who made a resource, as an attribute of it. */

import * as schema from '../../api/shape/schema.ts'
import { actorTypes } from './audit-events-sql.ts'
import type { Author } from './author-sql.ts'

export const author = {
  attribute: schema.object(
    {
      type: schema.oneOf(actorTypes),
      id: schema.textOrNull(),
      name: schema.textOrNull({
        description: 'Name of the person, or their e-mail address if they gave none; name of the key or app.',
      }),
    },
    { description: 'Who made it.' },
  ),
  // Writes each member, because the database returns the members in another order.
  write: ({ type, id, name }: Author) => ({ type, id, name }),
} as const
