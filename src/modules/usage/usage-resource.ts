/** `usage`: how much an account uses, beside its limits. */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { buckets } from './buckets.ts'
import type { UsageReading } from './get-usage.ts'

const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) })

export const usage: ResourceKind<UsageReading> = {
  type: 'usage',
  attributes: {
    counted_at: schema.instant(),
    limits: schema.list(
      schema.object({
        bucket: schema.oneOf(buckets),
        limit_per_minute: schema.integerOrNull({
          description: 'Null: there is no limit, and requests are not counted.',
        }),
        used_last_minute: schema.integerOrNull({ description: 'Requests of the last 60 seconds.' }),
      }),
    ),
    months: schema.list(
      schema.object({
        month: schema.text({ description: 'In UTC: `2026-01`.' }),
        tracking_requests: count('Number of tracking requests that were created.'),
        shipments: count('Number of shipments whose tracking began.'),
        containers: count('Number of containers that became known.'),
        events: count(),
        deliveries: count('Number of notifications of webhooks; retries are not counted.'),
        documents: count(
          'Number of documents that were sent, without those that had been deleted when they were counted.',
        ),
        document_bytes: count('Size of these documents in bytes.'),
        is_complete: Type.Boolean({
          description: 'False: one request could not count everything. Ask again.',
        }),
      }),
      { description: 'This month first, then the twelve months before.' },
    ),
  },
  relations: {},
  write: ({ at, limits, months }) => ({
    counted_at: at,
    limits: limits.map(({ bucket, perMinute, used }) => ({
      bucket,
      limit_per_minute: perMinute,
      used_last_minute: used,
    })),
    months: months.map((each) => ({
      month: each.month.slice(0, 7),
      tracking_requests: each.trackingRequests,
      shipments: each.shipments,
      containers: each.containers,
      events: each.events,
      deliveries: each.deliveries,
      documents: each.documents,
      document_bytes: each.documentBytes,
      is_complete: each.isComplete,
    })),
  }),
  link: () => ({}),
}
