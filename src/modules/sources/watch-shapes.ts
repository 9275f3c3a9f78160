/** Watches the shape of the answers of each line: what is new or missing is told to the operator the same day. */

import { getJsonInstant } from '../../db/listing/json-instant.ts'
import {
  type AnswerShape,
  changesMax,
  learnShape,
  missingAfter,
  noShape,
  type ShapeChange,
  shareOfChange,
} from '../../domain/tracking-requests/answer-shape.ts'
import { addDays } from '../../domain/values/time.ts'
import { openWithAccess } from '../../pipeline/response-archive/open-snapshots.ts'
import { callIt } from '../../platform/call-it.ts'
import type { Attestation } from '../attestations/attestation.ts'
import { listRealAttestations } from '../attestations/attestations.ts'
import { findDifferences } from '../attestations/attested-shape.ts'
import { realNow, type Service } from '../service.ts'
import { shapeOfAnswer } from './answer-shape-of.ts'
import {
  type CountedChange,
  findShapesToLearn,
  listShapeChanges,
  type ShapeToLearn,
  writeShape,
} from './answer-shapes-sql.ts'

/** Of each channel at a time. A busier channel is read by a sample. */
const answersMax = 20
/** For how long a change is a fault that the operator sees. */
const shownDays = 1

/** Returns how many channels were read. When several processes run this, only one of them stores a result. */
export async function watchShapes(service: Service): Promise<number> {
  const due = await findShapesToLearn(service.pool, answersMax)
  const attestations = due.length === 0 ? [] : await listRealAttestations(service)
  for (const channel of due)
    await learn(
      service,
      channel,
      // What the sandbox answers is no answer of the line.
      attestations.filter(({ line }) => line === channel.scac && !channel.isSandbox),
    )
  return due.length
}

async function learn(
  service: Service,
  { credentialId, scac, isSandbox, ...channel }: ShapeToLearn,
  attestations: readonly Attestation[],
): Promise<void> {
  const { pool, metrics } = service
  const times = new Map(channel.snapshots.map(({ id, at }) => [id, at]))
  const before = channel.shape ?? noShape
  const opened = await openWithAccess(service, pool, [...times.keys()])
  const learnt = [...times].reduce((known, [id, at]) => {
    const snapshot = opened.get(id)?.snapshot
    const answer = snapshot === undefined ? null : shapeOfAnswer(snapshot)
    return answer === null ? known : learnShape(known, answer, getJsonInstant(at))
  }, before)
  const shape = addDifferences(before, learnt, attestations, realNow(service))
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

/** Each member is compared with what was attested once: with the first answers here that have it. */
function addDifferences(
  before: AnswerShape,
  learnt: AnswerShape,
  attestations: readonly Attestation[],
  now: string,
): AnswerShape {
  const isFirstHere = ({ kind, from = 0 }: ShapeChange): boolean =>
    kind === 'missing_member' ? before.answers < missingAfter : from > before.answers
  const isKnown = ({ member }: ShapeChange): boolean => learnt.changes.some((each) => each.member === member)
  const added = findDifferences(learnt, attestations, now).filter((each) => isFirstHere(each) && !isKnown(each))
  return { ...learnt, changes: [...learnt.changes, ...added].slice(-changesMax) }
}

/** Raises or ends the operator issue in this process. The sandbox is no source whose answers change. */
export async function reportShapeChanges(service: Service): Promise<void> {
  const { pool, operatorIssues } = service
  const since = addDays(realNow(service), -shownDays)
  const changed = (await listShapeChanges(pool, { accountId: null, since })).filter(({ isSandbox }) => !isSandbox)
  if (changed.length > 0)
    operatorIssues.raise('answers_changed', {
      reason: changed.map(({ scac, changes }) => describeChanges(scac, changes)).join(' '),
    })
  else if (operatorIssues.active().includes('answers_changed')) operatorIssues.end('answers_changed')
}

function describeChanges(scac: string, changes: readonly CountedChange[]): string {
  const example = `An example without numbers and names: ${callIt} sources changes ${scac} --redact example.json`
  return `${scac}: ${changes.map(describeChange).join(', ')}. ${example}.`
}

/** For example `new member [].remarks string in 3 of 50 answers since …`. */
export function describeChange(change: CountedChange): string {
  const { kind, member, since, attested } = change
  const share = shareOfChange(change, change)
  return [
    `${kind.replace('_', ' ')} ${member}${attested === true ? ' (other than attested)' : ''}`,
    `${share === null ? '' : `in ${share.shown} of ${share.of} answers `}since ${since.replace('.000Z', 'Z')}`,
  ].join(' ')
}
