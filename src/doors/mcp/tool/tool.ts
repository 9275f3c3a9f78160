/** What a tool is here: what it takes and gives, and a translation to service verbs. How it is answered is `run-tool.ts`'s. */

import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { Static, TObject, TSchema } from 'typebox'
import type { Context } from '../../../service/context.ts'
import type { Bucket } from '../../../service/limits/buckets.ts'
import type { Service } from '../../../service/service.ts'

/** Who asks, through a client that can do so much. */
export interface Asking {
  readonly service: Service
  readonly context: Context
  readonly canAskUser: boolean
  /** What the user chose when asked in this very call; `unasked` before, null when they would not say. */
  readonly choice: Choice
  /** `landfall://container/…` */
  readonly uriOf: (kind: 'container' | 'shipment', id: string) => string
  /** Takes a turn in a bucket of its own, beside the turn that each request takes. */
  readonly takeTurn: (bucket: Bucket) => Promise<void>
}

export type Choice =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'chosen'; readonly value: string }

export type ToolAnswer =
  | {
      readonly kind: 'result'
      readonly data: Readonly<Record<string, unknown>>
      readonly guidance: Guidance
      readonly links?: readonly Link[]
    }
  /** To be asked of the user, one field named `choice`; the tool is called again with what they chose. */
  | { readonly kind: 'ask'; readonly question: Question }

export interface Guidance {
  /** How the result is best told to a person. */
  readonly presentation: string
  readonly followUps?: readonly string[]
  readonly tools?: readonly string[]
}

export interface Link {
  readonly uri: string
  readonly name: string
}

export interface Question {
  readonly message: string
  readonly schema: ElicitRequestFormParams['requestedSchema']
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly input: TObject
  readonly output: TSchema
  /** `change`: needs the scope to write. */
  readonly effect: 'read' | 'change'
  readonly isDestructive: boolean
  readonly run: (asking: Asking, input: unknown) => Promise<ToolAnswer>
}

export function tool<Input extends TObject>(declared: {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly input: Input
  readonly output: TSchema
  readonly effect: 'read' | 'change'
  readonly isDestructive?: boolean
  readonly run: (asking: Asking, input: Static<Input>) => Promise<ToolAnswer>
}): Tool {
  return {
    ...declared,
    isDestructive: declared.isDestructive ?? false,
    // Held against the very schema that the type is made of before it comes here.
    run: (asking, input) => declared.run(asking, input as Static<Input>),
  }
}

export function result(
  data: Readonly<Record<string, unknown>>,
  guidance: Guidance,
  links: readonly Link[] = [],
): ToolAnswer {
  return { kind: 'result', data, guidance, links }
}
