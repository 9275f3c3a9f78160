/** /v2/charge_terms and /v2/calendars: what charges are counted by. What is sent again under a code is a new version. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { newCalendar } from './calendar-input.ts'
import { readCalendarSeries } from './calendar-resource.ts'
import { newTerms } from './charge-terms-input.ts'
import { readChargeTerms } from './charge-terms-resource.ts'
import { getSeries, listSeries, recordSeries } from './charge-versions.ts'

const newVersion =
  'Creates the first version of this code, or a new version: a version never changes. If the same version is already on record, none is created.'

export function chargeTerms(app: FastifyInstance): void {
  const table = 'charge_terms'
  const routes = defineResource(app, {
    type: 'charge_terms',
    tag: 'Charges',
    path: '/v2/charge_terms/:id',
    ids: { id: 'Id of the terms.' },
    keyOf: makeIdReader('charge terms'),
    read: readChargeTerms,
  })
  routes.list({
    id: 'listChargeTerms',
    summary: 'List terms of free time by code',
    verb: (service, context) => listSeries(service, context, table),
  })
  routes.create({
    id: 'createChargeTerms',
    summary: 'Record terms of free time',
    description: newVersion,
    body: newTerms,
    verb: (service, context, named) => recordSeries(service, context, { table, named }),
  })
  routes.get({
    id: 'getChargeTerms',
    summary: 'Get terms of free time with all their versions',
    verb: (service, context, { id }) => getSeries(service, context, { table, id }),
  })
}

export function calendars(app: FastifyInstance): void {
  const table = 'charge_calendars'
  const routes = defineResource(app, {
    type: 'calendar',
    tag: 'Charges',
    path: '/v2/calendars/:id',
    ids: { id: 'Id of the calendar.' },
    keyOf: makeIdReader('calendar'),
    read: readCalendarSeries,
  })
  routes.list({
    id: 'listCalendars',
    summary: 'List calendars by code',
    verb: (service, context) => listSeries(service, context, table),
  })
  routes.create({
    id: 'createCalendar',
    summary: 'Record a calendar',
    description: newVersion,
    body: newCalendar,
    verb: (service, context, named) => recordSeries(service, context, { table, named }),
  })
  routes.get({
    id: 'getCalendar',
    summary: 'Get a calendar with all its versions',
    verb: (service, context, { id }) => getSeries(service, context, { table, id }),
  })
}
