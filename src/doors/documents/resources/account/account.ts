/** `account`: on whose behalf a request was made. */

import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'

export interface AccountReading extends Identified {
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
