/** One row of the contract's table of endpoints: a request that is good, one that is not, and the words for both. */

import type { Call } from '../../../support/api.ts'

export type Method = NonNullable<Call['method']>

export interface Asked {
  /** Below /v2; `{shipment}` and the like are the account's own. Missing: what the row says. */
  readonly url?: string
  readonly body?: unknown
  readonly status: number
  /** Of the data that comes back; null where it is no resource. */
  readonly type?: string | null
}

export interface Row {
  readonly row: `${Method} ${string}`
  readonly good: Asked
  readonly bad: Asked
}

export const nobody = '018f0000-0000-7000-8000-0000000000aa'
export const of = (type: string, attributes: object, rest: object = {}) => ({
  data: { type, attributes, ...rest },
})
export const notThere = (url: string): Asked => ({ url, status: 404 })
export const noPage = (url: string): Asked => ({ url: `${url}?page[size]=101`, status: 422 })
