/**
 * The data of a client of the 2025 protocol from its `initialize`. The client gets it back as its session id. It is
 * signed, so that any process can trust it and none has to store it. It is valid only together with the credentials of
 * that client. A client gets none if it has no capability that we would use.
 */

import { timingSafeEqual } from 'node:crypto'
import type { McpCaller } from './mcp-caller.ts'
import { showingViews, showsViews } from './views.ts'

/** The parameters of `initialize`. */
export interface ClientIntroduction {
  readonly protocolVersion: string
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly clientInfo: { readonly name: string; readonly version: string }
}

const lengthMax = 2_048

/** Null when the client has no capability that we would use. */
export function writeClientToken(caller: McpCaller, introduction: ClientIntroduction): string | null {
  const { elicitation, sampling, roots } = introduction.capabilities
  const extensions = showsViews(introduction.capabilities) ? showingViews : undefined
  const capabilities = { elicitation, sampling, roots, extensions }
  if (Object.values(capabilities).every((each) => each === undefined)) return null
  const { name, version } = introduction.clientInfo
  const payload = JSON.stringify({
    protocolVersion: introduction.protocolVersion,
    capabilities,
    clientInfo: { name: name.slice(0, 100), version: version.slice(0, 100) },
  })
  const body = Buffer.from(payload).toString('base64url')
  const token = `${body}.${sign(caller, body).toString('base64url')}`
  return token.length <= lengthMax ? token : null
}

/** Null when the token was not written by us, or not for this caller. */
export function readClientToken(caller: McpCaller, token: string): ClientIntroduction | null {
  const [body = '', signature = '', ...rest] = token.split('.')
  if (token.length > lengthMax || rest.length > 0) return null
  const given = Buffer.from(signature, 'base64url')
  const right = sign(caller, body)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  // The cast is safe: the signature shows that `writeClientToken` wrote this.
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as ClientIntroduction
}

function sign({ service, context }: McpCaller, body: string): Buffer {
  const { account, actor } = context
  const actorId = actor.kind === 'system' ? '' : actor.id
  return service.encryption.hmac(`mcp client\n${account.id}\n${actor.kind}\n${actorId}\n${body}`)
}
