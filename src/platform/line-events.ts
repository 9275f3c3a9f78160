// The events that the process counts about how carriers answer.
import type { BusinessEvent } from './business-event.ts'

export const lineEvents = {
  lineLeftAlone: {
    event: 'line.left_alone',
    level: 'warn',
    help: 'How often a carrier asked for a pause (Retry-After).',
    labels: ['scac'],
  },
  lineMisread: {
    event: 'line.misread',
    level: 'error',
    help: 'How often the understood share of the answers of a carrier suddenly fell.',
    labels: ['scac'],
  },
  lineShapeChanged: {
    event: 'line.shape_changed',
    level: 'warn',
    help: 'Members and codes that are new in the answers of a carrier, or missing.',
    labels: ['scac', 'change'],
  },
} as const satisfies Readonly<Record<string, BusinessEvent>>
