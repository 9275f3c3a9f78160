/** The events of read replicas that the process counts. */

import type { BusinessEvent } from './business-event.ts'

export const replicaEvents = {
  readMoved: {
    event: 'read.moved',
    level: 'warn',
    help: 'Requests that went on at the primary because a statement could not be read at their replica.',
    labels: ['reason'],
  },
  readPlaced: {
    event: 'read.placed',
    level: 'debug',
    help: 'Requests that only read, by where they read: at a replica, or at the primary and why.',
    labels: ['target', 'reason'],
  },
} as const satisfies Readonly<Record<string, BusinessEvent>>
