/** Pages that the server wrote before and that are pages of the app now. Links and bookmarks lead on to these. */

import type { FastifyInstance } from 'fastify'
import { page } from '../page-parts/form.ts'

export const movedTo = {
  '/account/keys': '/administration/keys',
  '/account/keys/delete': '/administration/keys',
  '/account/members': '/administration/members',
  '/account/webhooks': '/developers/webhooks',
  '/account/activity': '/administration/record',
} as const

export function movedPages(pages: FastifyInstance): void {
  for (const [from, to] of Object.entries(movedTo)) pages.get(from, page, (_request, reply) => reply.redirect(to, 308))
}
