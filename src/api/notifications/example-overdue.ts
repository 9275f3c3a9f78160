/** The examples of events about what is overdue: the container of the invented journey was not loaded on its train. */

import type { EventName } from '../../domain/changes/event-table.ts'
import { addDays } from '../../domain/values/time.ts'
import { expect, type NextStep } from '../../domain/view/expectation.ts'
import { type OverdueChange, overdueEvent } from '../../modules/overdue/overdue-event.ts'
import { exampleAfterDischarge } from './example-charges.ts'

/** Null for an event that is not about what is overdue. */
export function exampleOverdue(name: EventName): ReturnType<typeof exampleAfterDischarge> {
  if (name !== 'container.overdue.started' && name !== 'container.overdue.ended') return null
  return exampleAfterDischarge(name, (container, dischargedAt) => {
    const next: NextStep = {
      leg: 'at_terminal',
      step: 'vessel_discharged>rail_loaded',
      after: 'vessel_discharged',
      afterCall: 'USLAX#1',
      afterAt: dischargedAt,
      toldAt: dischargedAt,
      estimateAt: null,
      expected: 'rail_loaded',
      place: 'USLAX',
      isOfPlaceAlone: false,
    }
    const expectation = expect(next, { by: 'own', cases: 214, usualHours: 29, limitHours: 72 })
    const isStart = name === 'container.overdue.started'
    const at = addDays(dischargedAt, isStart ? 3 : 5)
    const change: OverdueChange = isStart
      ? { kind: 'started', state: 'answering', lastAnswerAt: at }
      : { kind: 'ended', ending: 'reported' }
    return { at, made: overdueEvent(container, expectation, change, at) }
  })
}
