/** Forms without a script: how they are read, and how we check that one of our own pages sent them. */

import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../api/errors/problem.ts'
import { readCookie, setCookie } from '../../api/http/cookies.ts'
import type { Exchange } from '../../api/http/exchange.ts'
import { isSameOrigin } from '../../api/http/same-origin.ts'
import type { Service } from '../../modules/service.ts'
import { deriveToken, isSameToken, makeToken } from '../../modules/sessions/token.ts'
import { formTokenName } from './form-field.ts'
import { sendProblemPage } from './problem-page.ts'

const bytesMax = 65_536
const fieldsMax = 100

export interface Form {
  /** Empty when the field was not sent. */
  readonly get: (name: string) => string
  readonly all: (name: string) => readonly string[]
}

/**
 * Routes whose bodies are forms and whose refusals are pages. `add` gets an own scope, so the settings here do not
 * apply to other routes.
 */
export function formPages(app: FastifyInstance, service: Service, add: (pages: FastifyInstance) => void): void {
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bytesMax },
      (_request, body, done) => done(null, parse(String(body), '&', '=', { maxKeys: fieldsMax })),
    )
    pages.setErrorHandler((error, request, reply) => sendProblemPage(service, { error, request, reply }))
    add(pages)
  })
}

/** Options of such a route. It is open, because the route checks the session itself. */
export const page = { config: { isOpen: true }, schema: { hide: true } } as const

export function readForm(request: FastifyRequest): Form {
  const fields = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const all = (name: string): readonly string[] => {
    if (!Object.hasOwn(fields, name)) return []
    return [fields[name]].flat().filter((value): value is string => typeof value === 'string' && isText(value))
  }
  return { all, get: (name) => all(name)[0] ?? '' }
}

/** A parameter of the address. Null when it was not sent, or more than once. */
export function readParameter(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}

/** Whether a value is allowed in a form: no NUL and no control characters, except line breaks and tabs. */
function isText(value: string): boolean {
  return value.isWellFormed() && !/(?![\t\n\r])\p{Cc}/u.test(value)
}

/** Refuses (403) a form that another site sent, or whose token is missing or belongs to another session. */
export function checkForm(service: Service, request: FastifyRequest, token: string): void {
  const isOurs = isSameOrigin(service, request) && isSameToken(readForm(request).get(formTokenName), token)
  if (isOurs) return
  throw new Problem('forbidden', {
    detail: 'This form did not come from a current page of this site. Go back, load the page again, and send it again.',
  })
}

/** The token for forms of a person who is not signed in. It is bound to a cookie that has no other purpose. */
export function makeAnonymousFormToken(service: Service, exchange: Exchange): string {
  const known = readCookie(service, exchange.request, 'visit')
  const visit = known ?? makeToken()
  if (known === null) setCookie(service, exchange, { name: 'visit', value: visit })
  return deriveToken(service, 'visit', visit)
}

export function checkAnonymousForm(service: Service, request: FastifyRequest): void {
  const visit = readCookie(service, request, 'visit')
  // Without the cookie no token is valid: the browser stores no cookies, or the form came from no page of ours.
  checkForm(service, request, visit === null ? makeToken() : deriveToken(service, 'visit', visit))
}
