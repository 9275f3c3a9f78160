/** `job`: work of the account that waits or is under way. */

import type { ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { failureReasons, type JobStatus, jobKinds, jobStates } from './list-jobs.ts'

export const job: ResourceKind<JobStatus> = {
  type: 'job',
  isNamed: true,
  attributes: {
    kind: schema.oneOf(jobKinds, {
      description:
        '`reading`: answers and messages to read. `documents`, `emails`: documents and e-mails to read. `deliveries`: deliveries to webhooks. `charges`: containers whose charges are computed again. `batch`, `import`: numbers to track. `readers`, `rules`: the history is read and folded again after an update of the program.',
    }),
    state: schema.oneOf(jobStates),
    name: schema.textOrNull({ description: 'Name of the file of an import.' }),
    waiting: schema.integerOrNull({ description: 'Null: the number is not known.' }),
    waiting_is_more: Type.Boolean({ description: 'True: more than `waiting` items wait; they were not counted.' }),
    oldest_waiting_at: schema.instantOrNull({ description: 'Null: nothing waits, or the time is not stored.' }),
    done: schema.integerOrNull(),
    total: schema.integerOrNull(),
    per_minute: schema.numberOrNull({ description: 'Since it began.' }),
    remaining_seconds: schema.integerOrNull({
      description: 'Estimated by the limits, or by the rate so far. Null: not known.',
    }),
    started_at: schema.instantOrNull(),
    failing: Type.Integer({ minimum: 0, description: 'Number of items that failed and will be tried again.' }),
    failures: schema.list(
      schema.object({
        id: schema.text({ description: 'Id of the tracking request, document, mail or notification.' }),
        name: schema.textOrNull(),
        reason: schema.oneOf(failureReasons, {
          description:
            '`fault`: an error of the program; its log has the cause. `unfinished`: the process ended during the work. `receiver`: the receiver refused or could not be reached.',
        }),
        detail: schema.textOrNull(),
        attempts: Type.Integer({ minimum: 0 }),
        next_attempt_at: schema.instantOrNull(),
      }),
      { description: 'Ten at most.' },
    ),
  },
  relations: {},
  write: (each) => ({
    kind: each.kind,
    state: each.state,
    name: each.name,
    waiting: each.waiting,
    waiting_is_more: each.isMore,
    oldest_waiting_at: each.oldestAt,
    done: each.done,
    total: each.total,
    per_minute: each.perMinute,
    remaining_seconds: each.remainingS,
    started_at: each.startedAt,
    failing: each.failing,
    failures: each.failures.map(({ id, name, reason, detail, attempts, nextAt }) => ({
      id,
      name,
      reason,
      detail,
      attempts,
      next_attempt_at: nextAt,
    })),
  }),
  link: () => ({}),
}
