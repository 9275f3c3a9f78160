/** What was observed of an installation from outside, to be compared with the state after an upgrade. */

export interface Observed {
  /** `reads`, `writes`: the statuses of a reading request, and of a change of a missing resource. */
  readonly keys: readonly {
    readonly key: string
    readonly about: string
    readonly reads: number
    readonly writes: number
  }[]
  readonly answers: readonly ObservedAnswer[]
  readonly webhooks: readonly ObservedWebhook[]
  readonly people: readonly ObservedPerson[]
  readonly apps: readonly { readonly clientId: string; readonly accessToken: string }[]
  /** The contents of encrypted columns, in clear text. */
  readonly sealed: readonly SealedValue[]
}

/** The requested change: a client that may write gets the answer that it does not exist. */
export const changeOfNothing = {
  url: '/v2/shipments/00000000-0000-7000-8000-000000000000',
  body: { data: { type: 'shipment', attributes: { ref_numbers: ['X'] } } },
} as const

export interface ObservedAnswer {
  readonly key: string
  readonly url: string
  readonly status: number
  readonly data: unknown
}

export interface ObservedWebhook {
  readonly id: string
  readonly key: string
  /** The path of its URL; host and port were the receiver's. */
  readonly path: string
  /** As they were shown, the oldest first. */
  readonly secrets: readonly string[]
  /** The last requests that its receiver got, byte by byte. */
  readonly deliveries: readonly {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }[]
}

export interface ObservedPerson {
  readonly email: string
  readonly password: string
  /** Base32, where they use one-time codes. */
  readonly totpSecret: string | null
  readonly cookies: Readonly<Record<string, string>>
}

export interface SealedValue {
  readonly table: string
  readonly column: string
  readonly key: string
  readonly clear: string
}
