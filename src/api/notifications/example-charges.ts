/** The examples of events about charges: terms of four free days, for the container of the invented journey. */

import { type EventName, eventTable } from '../../domain/changes/event-table.ts'
import type { TermsTally } from '../../domain/charges/tally.ts'
import { type ChargeChange, chargeChanges } from '../../domain/charges/tally-changes.ts'
import { addDays } from '../../domain/values/time.ts'
import { chargeEvent } from '../../modules/charges/charge-event.ts'
import { readOwnEvent } from '../../modules/events/domain-event-resource.ts'
import type { DomainEventReading } from '../../modules/events/read-domain-events-sql.ts'
import { findExampleMoment } from '../../modules/webhooks/example-journey.ts'
import { exampleIds } from '../../modules/webhooks/example-readings.ts'
import { exampleId } from '../../modules/webhooks/example-story.ts'
import type { DomainEvent } from '../../pipeline/projection/domain-events-sql.ts'
import type { Reading } from '../json-api/resource-kinds.ts'

const rate = { minor: 15_000, currency: 'USD' }

interface OwnExample {
  readonly event: DomainEventReading
  readonly sequence: number
  readonly known: readonly Reading[]
}

/** Null for an event that is not about charges. */
export function exampleCharges(name: EventName): OwnExample | null {
  const kind = chargeChanges.find((change) => name === `container.charges.${change}`)
  if (kind === undefined) return null
  return exampleAfterDischarge(name, (container, dischargedAt) => {
    const day = dischargedAt.slice(0, 10)
    const at = addDays(`${day}T10:00:00.000Z`, kind === 'changed' ? 0 : 5)
    const [before, after] = exampleTallies(kind, day)
    const causes = kind === 'changed' ? (['last_free_day', 'days', 'missing'] as const) : []
    return { at, made: chargeEvent(container, { kind, terms: [{ kind, before, after, causes }] }, at) }
  })
}

/** An event of our own about the container of the invented journey, after it was unloaded at its port of discharge. */
export function exampleAfterDischarge(
  name: EventName,
  make: (
    container: { readonly id: string; readonly shipmentId: string },
    dischargedAt: string,
  ) => { readonly at: string; readonly made: DomainEvent },
): OwnExample | null {
  const moment = findExampleMoment('container.transport.vessel_discharged')
  const [container] = moment?.containers ?? []
  if (moment === null || container === undefined) return null
  const { at, made } = make({ id: container.id, shipmentId: exampleIds.shipment }, moment.event.createdAt)
  const id = exampleId(name)
  const { referenceType } = eventTable[name]
  const event = { ...made, id, referenceType, referenceId: id, accountId: exampleIds.account, createdAt: at }
  const ownEvent = readOwnEvent(event) as Reading | null
  const known = [
    moment.request,
    ...(moment.shipment === null ? [] : [moment.shipment]),
    ...moment.containers,
    ...(ownEvent === null ? [] : [ownEvent]),
  ]
  return { event, sequence: 21, known }
}

/** Free from the day after the discharge, four days long. */
function exampleTallies(kind: ChargeChange, day: string): readonly [TermsTally, TermsTally] {
  const waiting: TermsTally = {
    slot: 'line demurrage port',
    code: 'acme-import',
    version: 1,
    kind: 'demurrage',
    chargedBy: 'line',
    chargerCode: null,
    currency: 'USD',
    recordedAt: `${addDays(day, -60)}T00:00:00.000Z`,
    missing: 'start',
    phase: 'unknown',
    zone: 'America/Los_Angeles',
    from: null,
    runs: [],
    stoppedOn: null,
    lastFreeDay: null,
    chargedFrom: null,
    sentence: null,
    claimIds: [],
  }
  const first = addDays(day, 5)
  const free: TermsTally = {
    ...waiting,
    missing: null,
    phase: 'free',
    from: day,
    runs: [
      ['not_counted', 1, null],
      ['free', 4, null],
      ['charged', 100, rate],
    ],
    lastFreeDay: { day: addDays(day, 4), until: null },
    chargedFrom: { day: first, at: `${first}T08:00:00.000Z` },
    sentence: `The terms count from ${addDays(day, 1)}, after the discharge.`,
    claimIds: [exampleId('claim of the discharge')],
  }
  const charged: TermsTally = {
    ...free,
    phase: 'charged',
    sentence: 'Day 1, tier 1 of terms acme-import version 1, at 150.00 USD.',
  }
  switch (kind) {
    case 'changed':
      return [waiting, free]
    case 'started':
      return [free, charged]
    case 'stopped':
      return [
        charged,
        {
          ...charged,
          phase: 'stopped',
          runs: [
            ['not_counted', 1, null],
            ['free', 4, null],
            ['charged', 1, rate],
          ],
          stoppedOn: first,
          claimIds: [...free.claimIds, exampleId('claim of the gate-out')],
        },
      ]
  }
}
