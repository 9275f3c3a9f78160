/** One row of the contract's table of endpoints: a valid request, an invalid one, and a sentence for both. */

import type { Call } from '../../support/api.ts'

export type Method = NonNullable<Call['method']>

export interface Asked {
  /**
   * The path below /v2. `{shipment}` and similar names mean resources of the account. If missing, it is the path of
   * the row.
   */
  readonly url?: string
  readonly body?: unknown
  readonly status: number
  /** Type of the data in the answer; null if it is not a resource. */
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
export const noPage = (url: string): Asked => ({ url: `${url}?page[size]=0`, status: 422 })
