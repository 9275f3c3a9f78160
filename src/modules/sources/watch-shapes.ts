/** Watches the shape of the answers of each line: what is new or missing is told to the operator the same day. */

import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { learnShape, noShape, type ShapeChange, shapeOf } from '../../domain/tracking-requests/answer-shape.ts'
import { addDays } from '../../domain/values/time.ts'
import { openWithAccess } from '../../pipeline/response-archive/open-snapshots.ts'
import { realNow, type Service } from '../service.ts'
import { findShapesToLearn, listShapeChanges, type ShapeToLearn, writeShape } from './answer-shapes-sql.ts'

/** Of each channel at a time. A busier channel is read by a sample. */
const answersMax = 20
/** For how long a change is a fault that the operator sees. */
const shownDays = 1

/** Returns how many channels were read. When several processes run this, only one of them stores a result. */
export async function watchShapes(service: Service): Promise<number> {
  const due = await findShapesToLearn(service.pool, answersMax)
  for (const channel of due) await learn(service, channel)
  return due.length
}

async function learn(service: Service, { credentialId, scac, isSandbox, ...channel }: ShapeToLearn): Promise<void> {
  const { pool, metrics } = service
  const times = new Map(channel.snapshots.map(({ id, at }) => [id, at]))
  const before = channel.shape ?? noShape
  const opened = await openWithAccess(service, pool, [...times.keys()])
  const shape = [...times].reduce((known, [id, at]) => {
    const body = opened.get(id)?.snapshot.body
    const answer = body === undefined ? undefined : parse(body)
    return answer === undefined ? known : learnShape(known, shapeOf(answer), getJsonInstant(at))
  }, before)
  const readTo = channel.snapshots.at(-1)?.at
  if (readTo === undefined) return
  if (!(await writeShape(pool, { credentialId, shape, before: channel.readTo, readTo }))) return
  const known = new Set(before.changes.map(keyOf))
  for (const change of shape.changes.filter((each) => !known.has(keyOf(each))))
    metrics.lineShapeChanged({ scac, change: change.kind, member: change.member, fiction: isSandbox })
}

function keyOf({ kind, member, since }: ShapeChange): string {
  return `${kind} ${member} ${since}`
}

/** Undefined when the answer is no JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Raises or ends the operator issue in this process. The sandbox is no source whose answers change. */
export async function reportShapeChanges(service: Service): Promise<void> {
  const { pool, operatorIssues } = service
  const since = addDays(realNow(service), -shownDays)
  const changed = (await listShapeChanges(pool, { accountId: null, since })).filter(({ isSandbox }) => !isSandbox)
  if (changed.length > 0)
    operatorIssues.raise('answers_changed', {
      reason: changed.map(({ scac, changes }) => `${scac}: ${changes.map(describeChange).join(', ')}.`).join(' '),
    })
  else if (operatorIssues.active().includes('answers_changed')) operatorIssues.end('answers_changed')
}

function describeChange({ kind, member }: ShapeChange): string {
  return `${kind.replace('_', ' ')} ${member}`
}
