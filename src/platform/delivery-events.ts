// What is counted of deliveries: the name of each in the log, its level, its meaning and its labels.
import type { BusinessEvent } from './business-event.ts'

export const deliveryEvents = {
  deliveryAttempted: {
    event: 'delivery.attempted',
    level: 'info',
    help: 'Attempts to deliver a notification.',
    labels: ['outcome'],
    secondsBy: ['outcome'],
  },
  deliveryGivenUp: {
    event: 'delivery.given_up',
    level: 'warn',
    help: 'Notifications whose attempts are used up.',
    labels: [],
    startsAtZero: true,
  },
  deliveryNotRecorded: {
    event: 'delivery.not_recorded',
    level: 'warn',
    help: 'Times that the end of an attempt could not be written. It is tried again while the lease lasts.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, BusinessEvent>>
