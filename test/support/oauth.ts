/**
 * An app that uses OAuth with the API through the router: registers, sends its user to agree, and exchanges what it
 * gets.
 */

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { TestApi } from './api.ts'
import type { PageAnswer, Person } from './person.ts'

export const redirectUri = 'https://app.example.com/callback'
/** The host that the requests name: `openPerson` and `inject` call the server localhost. */
export const issuer = 'http://localhost:3000'
export const resources = {
  api: `${issuer}/v2`,
  mcp: 'http://127.0.0.1:3001',
  beside: `${issuer}/mcp`,
} as const

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scope: string
}

export type Door = Pick<TestApi, 'app'> | { readonly app: FastifyInstance }

export async function post(
  { app }: Door,
  url: string,
  fields: Readonly<Record<string, string>> | object,
  options: { readonly isJson?: boolean; readonly address?: string } = {},
): Promise<Reply> {
  const response = await app.inject({
    method: 'POST',
    url,
    remoteAddress: options.address ?? '10.9.0.1',
    headers: {
      'content-type': options.isJson === true ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    payload:
      options.isJson === true
        ? JSON.stringify(fields)
        : new URLSearchParams(fields as Record<string, string>).toString(),
  })
  const isJson = String(response.headers['content-type']).includes('json')
  return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : {} }
}

export async function register(door: Door, metadata: object = {}, address?: string): Promise<Reply> {
  const asked = { client_name: 'Quay Agent', redirect_uris: [redirectUri], ...metadata }
  return post(door, '/oauth/register', asked, { isJson: true, ...(address === undefined ? {} : { address }) })
}

export async function newClient(door: Door, metadata: object = {}): Promise<string> {
  const { status, body } = await register(door, metadata)
  assert.equal(status, 201, JSON.stringify(body))
  return String(body.client_id)
}

export const verifier = randomBytes(32).toString('base64url')
export const challenge = createHash('sha256').update(verifier).digest('base64url')

export function authorizeUrl(clientId: string, changes: Readonly<Record<string, string | null>> = {}): string {
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'tracking:read tracking:write',
    resource: resources.api,
    state: 'here',
    ...changes,
  }
  const params = Object.entries(asked).filter((each): each is [string, string] => each[1] !== null)
  return `/oauth/authorize?${new URLSearchParams(params)}`
}

/** The address of the page where the person is asked for consent. */
export async function begin(person: Person, url: string): Promise<string> {
  const answer = await person.open(url)
  assert.equal(answer.status, 303, answer.text)
  assert.match(answer.location ?? '', /^\/oauth\/consent\/[\w-]+$/, answer.location ?? '')
  return answer.location ?? ''
}

/** The query with which the person comes back to the app. */
export async function agree(
  person: Person,
  page: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<URLSearchParams> {
  const shown = await person.open(page)
  const account = /(?:<option|name="account") value="([^"]+)"(?: selected)?/.exec(shown.text)?.[1] ?? ''
  const sent = await person.send(page, { decision: 'allow', account, access: 'all', ...fields })
  return (await followBack(person, sent)).searchParams
}

export async function followBack(person: Person, sent: PageAnswer): Promise<URL> {
  assert.equal(sent.status, 303, sent.text)
  const back = await person.open(sent.location ?? '')
  assert.equal(back.status, 303, back.text)
  return new URL(back.location ?? '')
}

export function trade(
  door: Door,
  clientId: string,
  code: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return post(door, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  })
}

export function refresh(
  door: Door,
  clientId: string,
  token: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return post(door, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
    ...changes,
  })
}

export function tokensOf({ status, body }: Reply): Tokens {
  assert.equal(status, 200, JSON.stringify(body))
  return {
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    scope: String(body.scope),
  }
}

/** The whole flow, without any fault. */
export async function connectApp(
  door: Door,
  person: Person,
  options: {
    readonly clientId?: string
    readonly ask?: Readonly<Record<string, string | null>>
    readonly fields?: Readonly<Record<string, string>>
  } = {},
): Promise<Tokens & { readonly clientId: string; readonly code: string }> {
  const clientId = options.clientId ?? (await newClient(door))
  const back = await agree(person, await begin(person, authorizeUrl(clientId, options.ask)), options.fields)
  const code = back.get('code') ?? ''
  assert.notEqual(code, '', back.toString())
  return { clientId, code, ...tokensOf(await trade(door, clientId, code)) }
}

/** The answer of the REST API to a request with this token. */
export async function ask(
  { app }: Door,
  token: string,
  request: {
    readonly method?: 'GET' | 'POST' | 'PATCH'
    readonly url?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: object
  } = {},
): Promise<Reply> {
  const response = await app.inject({
    method: request.method ?? 'GET',
    url: request.url ?? '/v2/shipments',
    headers: {
      authorization: `Bearer ${token}`,
      ...(request.body === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { payload: JSON.stringify(request.body) }),
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? {} : response.json(),
  }
}
