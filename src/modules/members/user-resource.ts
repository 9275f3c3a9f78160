/** `user`: a person of the account, shown where the person made or stopped something. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import type { Colleague } from './memberships-sql.ts'

export interface UserReading extends IdentifiedReading {
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
