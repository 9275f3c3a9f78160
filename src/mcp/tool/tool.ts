/**
 * What a tool is here: its input, its output, and a function that calls verbs of the service. `run-tool.ts` writes the
 * answer.
 */

import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { Static, TObject, TSchema } from 'typebox'
import type { Context } from '../../modules/access/context.ts'
import type { Service } from '../../modules/service.ts'
import type { Bucket } from '../../modules/usage/buckets.ts'

/** Who sends the request, and what the client can do. */
export interface ToolContext {
  readonly service: Service
  readonly context: Context
  readonly canAskUser: boolean
  /** The client shows views (MCP Apps). */
  readonly showsViews: boolean
  /**
   * What the user chose in this same call: `unasked` before the question was put, `refused` when the user did not
   * choose.
   */
  readonly choice: UserChoice
  /** Such as `landfall://container/<id>`. */
  readonly uriOf: (kind: 'container' | 'shipment' | 'snapshot', id: string) => string
  /** Counts the call in another rate limit too, besides the one that every request counts in. */
  readonly acquireQuotaSlot: (bucket: Bucket) => Promise<void>
  /** The client wants no answer any more. A long call ends then. */
  readonly isCancelled: () => boolean
  /** For a long call: how much of it is done, for a client that wants to know it. */
  readonly reportProgress: (progress: number, total: number) => Promise<void>
}

export type UserChoice =
  | { readonly kind: 'unasked' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'chosen'; readonly value: string }

export type ToolAnswer =
  | {
      readonly kind: 'result'
      readonly data: Readonly<Record<string, unknown>>
      /** Null for a compact answer, which has rows and nothing else. */
      readonly guidance: Guidance | null
      readonly links?: readonly Link[]
      /** For the tool's view and not for the model: goes into `_meta`. */
      readonly viewData?: Readonly<Record<string, unknown>> | null
    }
  /** A question to the user with one field, `choice`. After the user's answer the tool is called again. */
  | { readonly kind: 'ask'; readonly question: Question }

export interface Guidance {
  /** How the result is best presented to a person. */
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
  /** A tool with `change` needs the scope to write. */
  readonly effect: 'read' | 'change'
  readonly isDestructive: boolean
  /** The same call again changes nothing more. */
  readonly isIdempotent: boolean
  /** It asks or tells somebody outside of this installation: carriers, receivers of webhooks. */
  readonly isOpenWorld: boolean
  /** Which arguments are ids, and of what: a number in place of one is replaced by its id before the tool runs. */
  readonly ids: Readonly<Record<string, 'container' | 'shipment'>>
  /** Whether the journey of the answer is shown as a map by clients that show views. */
  readonly hasMap: boolean
  readonly run: (toolContext: ToolContext, input: unknown) => Promise<ToolAnswer>
}

export function defineTool<Input extends TObject>(declared: {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly input: Input
  readonly output: TSchema
  readonly effect: 'read' | 'change'
  readonly isDestructive?: boolean
  readonly isIdempotent?: boolean
  readonly isOpenWorld?: boolean
  readonly ids?: Tool['ids']
  readonly hasMap?: boolean
  readonly run: (toolContext: ToolContext, input: Static<Input>) => Promise<ToolAnswer>
}): Tool {
  return {
    ...declared,
    ids: declared.ids ?? {},
    isDestructive: declared.isDestructive ?? false,
    isIdempotent: declared.isIdempotent ?? declared.effect === 'read',
    isOpenWorld: declared.isOpenWorld ?? false,
    hasMap: declared.hasMap ?? false,
    // The cast is safe: the input was checked against the schema from which its type is derived.
    run: (toolContext, input) => declared.run(toolContext, input as Static<Input>),
  }
}

export function makeResult(
  data: Readonly<Record<string, unknown>>,
  guidance: Guidance | null,
  links: readonly Link[] = [],
  viewData: Readonly<Record<string, unknown>> | null = null,
): ToolAnswer {
  return { kind: 'result', data, guidance, links, viewData }
}
