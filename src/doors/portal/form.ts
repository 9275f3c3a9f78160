/** Forms without a script: how they are read, and how we know that one of our own pages has sent them. */

import { parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { deriveToken, isSameToken, makeToken } from '../../service/people/sessions/token.ts'
import type { Service } from '../../service/service.ts'
import { Problem } from '../api/problem.ts'
import { readCookie, setCookie } from './cookies.ts'
import { formTokenName } from './form-field.ts'
import { sendProblemPage } from './problem-page.ts'
import { isOurOwnPage } from './same-origin.ts'
import type { Exchange } from './visitor.ts'

const bytesMax = 65_536
const fieldsMax = 100

export interface Form {
  /** Empty when it was not sent. */
  readonly get: (name: string) => string
  readonly all: (name: string) => readonly string[]
}

/** Routes whose bodies are forms and whose refusals are pages. What is registered in `add` is seen by nobody else. */
export function formPages(
  app: FastifyInstance,
  service: Service,
  add: (pages: FastifyInstance) => void,
): void {
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

/** The options of such a route: open, for it looks at the session itself. */
export const page = { config: { isOpen: true }, schema: { hide: true } } as const

export function readForm(request: FastifyRequest): Form {
  const fields = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const all = (name: string): readonly string[] => {
    if (!Object.hasOwn(fields, name)) return []
    return [fields[name]]
      .flat()
      .filter((value): value is string => typeof value === 'string' && isText(value))
  }
  return { all, get: (name) => all(name)[0] ?? '' }
}

/** A parameter of the address; null when it was not sent, or more than once. */
export function readParameter(request: FastifyRequest, name: string): string | null {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}

/** What a form may carry: text without NUL and other controls but line breaks. */
function isText(value: string): boolean {
  return value.isWellFormed() && !/(?![\t\n\r])\p{Cc}/u.test(value)
}

/** Refuses (403) what another site has sent, or what carries no or another session's token. */
export function checkForm(service: Service, request: FastifyRequest, token: string): void {
  const isOurs = isOurOwnPage(service, request) && isSameToken(readForm(request).get(formTokenName), token)
  if (isOurs) return
  throw new Problem('forbidden', {
    detail:
      'This form was not sent from a page of ours that is still good. Go back, load the page anew, and send it again.',
  })
}

/** The token for forms of a person who is not signed in: bound to a cookie that says nothing else. */
export function visitToken(service: Service, exchange: Exchange): string {
  const known = readCookie(service, exchange.request, 'visit')
  const visit = known ?? makeToken()
  if (known === null) setCookie(service, exchange, { name: 'visit', value: visit })
  return deriveToken(service, 'visit', visit)
}

export function checkVisitForm(service: Service, request: FastifyRequest): void {
  const visit = readCookie(service, request, 'visit')
  // Without the cookie no token fits: this is of a browser that keeps none, or of no page of ours.
  checkForm(service, request, visit === null ? makeToken() : deriveToken(service, 'visit', visit))
}
