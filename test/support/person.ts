/**
 * A person at a browser without scripts: keeps cookies, follows nothing, and sends the forms that the pages have. What
 * the pages of the app do in the person's name, `ask` does.
 */

import assert from 'node:assert/strict'
import type { TestApi } from './api.ts'

export interface PageAnswer {
  readonly status: number
  readonly text: string
  readonly location: string | null
  readonly headers: Readonly<Record<string, unknown>>
}

export interface Person {
  /** Keyed by the cookies' names. */
  readonly cookies: Map<string, string>
  readonly open: (url: string, headers?: Readonly<Record<string, string>>) => Promise<PageAnswer>
  /** Opens `page` (default: the action itself), takes the form's token from it and sends the fields to `action`. */
  readonly send: (
    action: string,
    fields: Readonly<Record<string, string>>,
    options?: {
      readonly page?: string
      readonly token?: string | null
      readonly headers?: Readonly<Record<string, string>>
    },
  ) => Promise<PageAnswer>
  /** Asks the API as the app does. The answer's text is JSON. */
  readonly ask: (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => Promise<PageAnswer>
}

export const origin = 'http://localhost'

let addresses = 0

/**
 * The person has an address of their own, unless one is given, because attempts are counted by address. `host`: the
 * name by which the person calls the server.
 */
export function openPerson(api: TestApi, address?: string, host = 'localhost'): Person {
  addresses += 1
  const remoteAddress = address ?? `10.1.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
  const cookies = new Map<string, string>()
  const exchange = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    extra: { readonly headers?: Readonly<Record<string, string>>; readonly payload?: string } = {},
  ): Promise<PageAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await api.app.inject({
      method,
      url,
      remoteAddress,
      headers: {
        host,
        'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0',
        ...(cookie === '' ? {} : { cookie }),
        ...extra.headers,
      },
      ...(extra.payload === undefined ? {} : { payload: extra.payload }),
    })
    assert.notEqual(
      response.statusCode,
      500,
      `${method} ${url}: ${JSON.stringify(api.logged().findLast(({ event }) => event === 'request.crashed'))}`,
    )
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    const { location } = response.headers
    return {
      status: response.statusCode,
      text: response.body,
      location: typeof location === 'string' ? location : null,
      headers: response.headers,
    }
  }
  return {
    cookies,
    open: (url, headers) => exchange('GET', url, headers === undefined ? {} : { headers }),
    send: async (action, fields, options = {}) => {
      const token =
        options.token === undefined ? tokenIn((await exchange('GET', options.page ?? action)).text) : options.token
      const body = new URLSearchParams({ ...(token === null ? {} : { form_token: token }), ...fields })
      return exchange('POST', action, {
        payload: body.toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: `http://${host}`,
          ...options.headers,
        },
      })
    },
    ask: async (method, url, body) => {
      const token = tokenIn((await exchange('GET', '/account')).text)
      return exchange(method, url, {
        headers: {
          'x-landfall-session': token,
          ...(body === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
    },
  }
}

/** The token of the page's last form. The form in the masthead has a token of the same session. */
export function tokenIn(text: string): string {
  const found = [...text.matchAll(/name="form_token" value="([^"]+)"/g)].at(-1)?.[1]
  assert.ok(found, `no form in ${text.slice(0, 400)}`)
  return found
}

/** The headers with which the portal asks the API for somebody who is signed in. */
export async function askAs(person: Person): Promise<Readonly<Record<string, string>>> {
  const token = tokenIn((await person.open('/account')).text)
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { cookie, 'x-landfall-session': token }
}

export const password = 'four ships in a row'

/** The first person of the account of `key`; they are its owner. */
export async function signUpFirst(
  api: TestApi,
  of: { readonly email?: string; readonly key?: string; readonly name?: string } = {},
): Promise<Person> {
  const person = openPerson(api)
  const answer = await person.send('/sign-up', {
    name: of.name ?? 'Ada Harbour',
    email: of.email ?? 'ada@example.com',
    password,
    key: of.key ?? api.key,
  })
  assert.equal(answer.status, 303, answer.text)
  return person
}

/** A person whom `owner` has invited and who has signed up. */
export async function signUpInvited(
  api: TestApi,
  owner: Person,
  of: { readonly email: string; readonly role: string; readonly name?: string },
): Promise<Person> {
  const path = await invitePath(owner, of)
  const person = openPerson(api)
  const fields = { name: of.name ?? 'Ben Quay', email: of.email, password, token: tokenOf(path) }
  const answer = await person.send('/invitation', fields, { page: path })
  assert.equal(answer.status, 303, answer.text)
  return person
}

/** The path of a new invitation, as the inviter sees it when no mail is sent. */
export async function invitePath(
  owner: Person,
  of: { readonly email: string; readonly role: string },
): Promise<string> {
  const invited = await inviteAs(owner, of)
  assert.equal(invited.status, 201, invited.text)
  const path = /(\/invitation\?token=[\w-]+)/.exec(invited.text)?.[1]
  assert.ok(path, invited.text)
  return path
}

export function inviteAs(
  person: Person,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<PageAnswer> {
  return person.ask('POST', '/v2/members', { data: { type: 'member', attributes: { email, role } } })
}

export function tokenOf(path: string): string {
  return new URL(path, origin).searchParams.get('token') ?? ''
}

export async function signIn(
  api: TestApi,
  as: { readonly email: string; readonly password?: string; readonly person?: Person },
): Promise<{ readonly person: Person; readonly answer: PageAnswer }> {
  const person = as.person ?? openPerson(api)
  const answer = await person.send('/sign-in', { email: as.email, password: as.password ?? password })
  return { person, answer }
}
