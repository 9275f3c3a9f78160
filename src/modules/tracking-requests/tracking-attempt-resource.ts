/**
 * `tracking_attempt`: one question to a line for a tracking request, the result, and the next step. It shows no
 * credentials.
 */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { type EventCounts, isPartlyUnderstood } from '../../domain/tracking-requests/event-counts.ts'
import { requestTypeOfKind } from '../../domain/tracking-requests/tracking-request-state.ts'
import { Type } from '../../platform/json-schema.ts'
import type { AttemptReading } from './list-attempts.ts'

const outcomes: Readonly<Record<string, string>> = {
  found: 'The line knows the number and sent data about it.',
  trip_over:
    'The line knows the container, but its trip was over at the time of the request. The search for the line continues.',
  unchanged: 'The answer of the line has the same bytes as the answer before.',
  known_without_data: 'The line knows the number but sent no other data.',
  not_found: 'The line does not know the number.',
  cancelled: 'The line says that the booking is cancelled.',
  invalid_number: 'The line says that this is not one of its numbers.',
  unreachable: 'No answer, a time-out, or an answer that asks to try again later (429, 5xx).',
  unrecognized: 'The answer could not be read.',
  other_number: 'The answer is only about another bill or container. Nothing in it is used for this number.',
  internal_error: 'An internal error of Landfall. The poll is tried again.',
}

const nextDescriptions: Readonly<Record<AttemptReading['next']['kind'], string>> = {
  retry: 'The line is polled again, each time after a longer wait.',
  ask_again: 'The line is polled again in a day, until the wait for a manifest is over.',
  other_kind: 'The number is polled once as another kind than was sent.',
  other_line: 'The next line that may have the number is polled.',
  track: 'The shipment is polled while its journey continues.',
  none: 'No more polls follow.',
}

const count = (description: string) => Type.Integer({ minimum: 0, description })

function writeCounts(events: EventCounts) {
  const { told: stated, aside: ignored, understood, lost: unmapped, unread } = events
  return {
    told: stated,
    understood,
    partly_understood: stated - ignored - understood - unmapped,
    lost: unmapped,
    set_aside: ignored,
    unread,
    partly_understood_answer: isPartlyUnderstood(events) === true,
  }
}

export const trackingAttempt: ResourceKind<AttemptReading> = {
  type: 'tracking_attempt',
  attributes: {
    attempted_at: schema.instant(),
    scac: schema.text(),
    asked_as: schema.oneOf(['bill_of_lading', 'booking_number', 'container'], {
      description: 'The kind of number that was used to poll the carrier.',
    }),
    asked_number: schema.text({ description: 'The number as the carrier writes it.' }),
    outcome: schema.oneOf(Object.keys(outcomes)),
    outcome_meaning: schema.text(),
    unchanged: { type: 'boolean', description: 'True: the answer has the same bytes as the answer before.' },
    http_status: schema.integerOrNull(),
    duration_ms: Type.Integer({ minimum: 0 }),
    snapshot_id: schema.textOrNull({ description: 'Id of the stored answer.' }),
    events: schema.anyOf([
      schema.object(
        {
          told: count('Number of events in the answer.'),
          understood: count('Number of events that were read with their kind and place.'),
          partly_understood: count('Number of events that were read, but whose kind or place is not known.'),
          lost: count('Number of events that could not be read.'),
          set_aside: count(
            'Number of events that are not meant to be read: from sensors, or of containers that were not asked for.',
          ),
          unread: {
            type: 'object',
            additionalProperties: { type: 'integer' },
            description:
              'Number of lost or partly understood events by reason: a kind of issue, or `no_place` if the event has no place.',
          },
          partly_understood_answer: {
            type: 'boolean',
            description: 'True: less than nine tenths of the events were understood.',
          },
        },
        { description: 'How much of the answer was understood; `/v2/issues` lists each loss.' },
      ),
      schema.nothing(),
    ]),
    next: schema.object({
      step: schema.oneOf(Object.keys(nextDescriptions)),
      meaning: schema.text(),
      at: schema.instantOrNull({ description: 'Time of the next step; null if there is none.' }),
      retry_count: Type.Integer({ minimum: 0 }),
      failed_reason: schema.textOrNull(),
    }),
  },
  relations: {},
  write: (reading) => ({
    attempted_at: reading.attemptedAt,
    scac: reading.scac,
    asked_as: requestTypeOfKind(reading.kind),
    asked_number: reading.number,
    outcome: reading.outcome,
    outcome_meaning: outcomes[reading.outcome] ?? '',
    unchanged: reading.isUnchanged,
    http_status: reading.statusCode,
    duration_ms: reading.durationMs,
    snapshot_id: reading.snapshotId,
    events: reading.events === null ? null : writeCounts(reading.events),
    next: {
      step: reading.next.kind,
      meaning: nextDescriptions[reading.next.kind],
      at: reading.next.at,
      retry_count: reading.next.retryCount,
      failed_reason: reading.next.failedReason,
    },
  }),
  link: () => ({}),
}
