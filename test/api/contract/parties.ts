/** The contract's rows about parties. */

import { nobody, noPage, notThere, of, type Row } from './row.ts'

export const partyRows: readonly Row[] = [
  { row: 'GET /parties', good: { status: 200, type: 'party' }, bad: noPage('/parties') },
  {
    row: 'POST /parties',
    good: { body: of('party', { company_name: 'Heron' }), status: 201, type: 'party' },
    bad: { body: of('party', { company_name: 'Heron' }, { id: nobody }), status: 403 },
  },
  { row: 'GET /parties/{party}', good: { status: 200, type: 'party' }, bad: notThere(`/parties/${nobody}`) },
  {
    row: 'PATCH /parties/{party}',
    good: { body: of('party', { company_name: 'Kite' }), status: 200, type: 'party' },
    bad: { body: of('party', { company_name: '' }), status: 422 },
  },
]
