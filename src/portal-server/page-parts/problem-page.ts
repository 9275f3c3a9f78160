/** A refusal as a page for people: the sentence that a program would get, and a link to go on. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, problemOf } from '../../api/errors/problem.ts'
import { html } from '../../api/http/html.ts'
import { errorTable } from '../../api/shape/error-table.ts'
import type { Service } from '../../modules/service.ts'
import { sendPage, writePage } from './page.ts'

export function sendProblemPage(
  service: Service,
  {
    error,
    request,
    reply,
  }: { readonly error: unknown; readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  const problem = problemOf(error)
  if (problem.code === 'internal') {
    const route = request.routeOptions.url ?? 'none'
    service.metrics.requestCrashed({ route, requestId: request.id, error })
  }
  return sendProblemAsPage(problem, request, reply)
}

/** For a problem that was logged already. */
export function sendProblemAsPage(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, title } = errorTable[problem.code]
  const page = writePage({
    title,
    visitor: null,
    body: html`<section class="gate"><h2>${title}</h2>
${problem.faults.map(({ detail }) => html`<p>${detail}</p>`)}
<p class="quiet">Request ${request.id}</p>
<p><a href="/">To the first page</a></p></section>`,
  })
  return sendPage(reply.headers(problem.headers), { status, page })
}
