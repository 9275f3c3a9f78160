/**
 * What a client of the 2025 protocol said about itself when it began, given back to it as its session id: signed, so that
 * any process can believe it and none has to remember it. It is worth something only beside the credentials that it was
 * given to. Whoever can do nothing that we would ask for gets none.
 */

import { timingSafeEqual } from 'node:crypto'
import type { McpCaller } from './mcp-caller.ts'

/** The parameters of `initialize`. */
export interface ClientIntroduction {
  readonly protocolVersion: string
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly clientInfo: { readonly name: string; readonly version: string }
}

const lengthMax = 2_048

/** Null when there is nothing worth remembering. */
export function writeClientToken(caller: McpCaller, said: ClientIntroduction): string | null {
  const { elicitation, sampling, roots } = said.capabilities
  const capabilities = { elicitation, sampling, roots }
  if (Object.values(capabilities).every((each) => each === undefined)) return null
  const { name, version } = said.clientInfo
  const payload = JSON.stringify({
    protocolVersion: said.protocolVersion,
    capabilities,
    clientInfo: { name: name.slice(0, 100), version: version.slice(0, 100) },
  })
  const body = Buffer.from(payload).toString('base64url')
  const token = `${body}.${sign(caller, body).toString('base64url')}`
  return token.length <= lengthMax ? token : null
}

/** Null for what we did not write, or not for this caller. */
export function readClientToken(caller: McpCaller, token: string): ClientIntroduction | null {
  const [body = '', signature = '', ...rest] = token.split('.')
  if (token.length > lengthMax || rest.length > 0) return null
  const given = Buffer.from(signature, 'base64url')
  const right = sign(caller, body)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  // Signed by us: it is what `writeClientToken` wrote.
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as ClientIntroduction
}

function sign({ service, context }: McpCaller, body: string): Buffer {
  const { account, actor } = context
  const actorId = actor.kind === 'system' ? '' : actor.id
  return service.vault.hmac(`mcp client\n${account.id}\n${actor.kind}\n${actorId}\n${body}`)
}
