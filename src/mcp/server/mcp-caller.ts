/** The caller of the MCP server. It is passed in an async context, because the SDK's own type has only a token. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { onBehalfOf } from '../../db/account-shares.ts'
import type { Context } from '../../modules/access/context.ts'
import type { Service } from '../../modules/service.ts'
import { runWithin } from '../lists/row-limit.ts'
import type { ServerPart } from './server-part.ts'

export interface McpCaller {
  readonly service: Service
  readonly context: Context
  /** The message of the request; undefined when it could not be read. */
  readonly message: unknown
  /** False for a client that named no stream in `Accept`. It gets the answer alone, and no questions to its user. */
  readonly acceptsStream: boolean
  readonly part: ServerPart
}

const callers = new AsyncLocalStorage<McpCaller>()

export function runAsCaller<T>(caller: McpCaller, run: () => Promise<T>): Promise<T> {
  return onBehalfOf(caller.context.account.id, () => runWithin(caller.part.limit, () => callers.run(caller, run)))
}

export function currentCaller(): McpCaller {
  const caller = callers.getStore()
  if (caller === undefined) throw new Error('an MCP request without a caller')
  return caller
}
