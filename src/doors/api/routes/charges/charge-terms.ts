/** /v2/charge_terms and /v2/calendars: what charges are counted by. What is sent again under a code is a new version. */

import type { FastifyInstance } from 'fastify'
import { getSeries, listSeries, recordSeries } from '../../../../service/tracking/charges/charge-versions.ts'
import { readCalendarSeries } from '../../../documents/resources/charges/calendar.ts'
import { readChargeTerms } from '../../../documents/resources/charges/charge-terms.ts'
import { readId } from '../../../http/path-id.ts'
import { sendList, sendOne } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, operation } from '../../description/operation.ts'
import { calendarBody, readNewCalendar } from '../../inputs/calendar.ts'
import { chargeTermsBody, readNewTerms } from '../../inputs/charge-terms.ts'

const tag = 'Charges'
const newVersion =
  'The first of its code, or a new version of it: no version is ever changed. What is on record as it is makes none.'

export function chargeTerms(app: FastifyInstance): void {
  const query = defineQuery({ type: 'charge_terms' })
  const table = 'charge_terms'
  app.get(
    '/v2/charge_terms',
    {
      schema: operation({
        id: 'listChargeTerms',
        tag,
        summary: 'List terms of free time by code',
        query: query.schema,
        answer: listOf('charge_terms'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const data = (await listSeries(service, context, table)).map(readChargeTerms)
      return sendList({ request, reply }, { data, view })
    },
  )
  app.post(
    '/v2/charge_terms',
    {
      schema: operation({
        id: 'createChargeTerms',
        tag,
        summary: 'Record terms of free time',
        description: newVersion,
        query: query.schema,
        body: chargeTermsBody,
        status: 201,
        answer: documentOf('charge_terms'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const made = await recordSeries(service, context, { table, named: readNewTerms(request.body) })
      const data = readChargeTerms(made)
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )
  app.get(
    '/v2/charge_terms/:id',
    {
      schema: operation({
        id: 'getChargeTerms',
        tag,
        summary: 'Get terms of free time with all their versions',
        path: { id: 'Id of the terms.' },
        query: query.schema,
        answer: documentOf('charge_terms'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'charge terms')
      const data = readChargeTerms(await getSeries(service, context, { table, id }))
      return sendOne({ request, reply }, { data, view })
    },
  )
}

export function calendars(app: FastifyInstance): void {
  const query = defineQuery({ type: 'calendar' })
  const table = 'charge_calendars'
  app.get(
    '/v2/calendars',
    {
      schema: operation({
        id: 'listCalendars',
        tag,
        summary: 'List calendars by code',
        query: query.schema,
        answer: listOf('calendar'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const data = (await listSeries(service, context, table)).map(readCalendarSeries)
      return sendList({ request, reply }, { data, view })
    },
  )
  app.post(
    '/v2/calendars',
    {
      schema: operation({
        id: 'createCalendar',
        tag,
        summary: 'Record a calendar',
        description: newVersion,
        query: query.schema,
        body: calendarBody,
        status: 201,
        answer: documentOf('calendar'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const made = await recordSeries(service, context, { table, named: readNewCalendar(request.body) })
      const data = readCalendarSeries(made)
      return sendOne({ request, reply }, { data, view, status: 201 })
    },
  )
  app.get(
    '/v2/calendars/:id',
    {
      schema: operation({
        id: 'getCalendar',
        tag,
        summary: 'Get a calendar with all its versions',
        path: { id: 'Id of the calendar.' },
        query: query.schema,
        answer: documentOf('calendar'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'calendar')
      const data = readCalendarSeries(await getSeries(service, context, { table, id }))
      return sendOne({ request, reply }, { data, view })
    },
  )
}
