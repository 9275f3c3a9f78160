/** `account`: on whose behalf a request was made. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'

export interface AccountReading extends IdentifiedReading {
  readonly type: 'account'
  readonly companyName: string
}

export const account: ResourceKind<AccountReading> = {
  type: 'account',
  attributes: { company_name: schema.text() },
  relations: {},
  write: ({ companyName }) => ({ company_name: companyName }),
  link: () => ({}),
}
