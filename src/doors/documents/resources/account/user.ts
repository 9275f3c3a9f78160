/** `user`: a person of the account, shown where the person made or stopped something. */

import type { Colleague } from '../../../../store/people/memberships.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

export interface UserReading extends Identified {
  readonly type: 'user'
  readonly user: Colleague
}

export const user: ResourceKind<UserReading> = {
  type: 'user',
  attributes: { name: schema.textOrNull(), email: schema.text() },
  relations: {},
  write: ({ user: { name, email } }) => ({ name, email }),
  link: () => ({}),
}
