/**
 * Watches how much of each line's answers is understood. When the share falls suddenly, the log, the metrics and
 * `/readyz` warn the operator until this is repaired. The rule is `domain/tracking-requests/event-counts.ts`.
 */

import { findJump, isJumpOver, jumpAnswers } from '../../domain/tracking-requests/event-counts.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { realNow, type Service } from '../service.ts'
import {
  beginJump,
  endJump,
  findUnreadExample,
  type LineJump,
  listJumps,
  readLineReadings,
} from '../sources/line-readings-sql.ts'

/**
 * Stores which lines begin or end to be misread. When several processes run this, only one of them stores a change.
 * Returns how many lines changed.
 */
export async function watchLines(service: Service): Promise<number> {
  const { pool, log, metrics } = service
  const activeJumps = new Map((await listJumps(pool)).map((jump) => [jump.credentialId, jump]))
  let changed = 0
  for (const line of await readLineReadings(pool, { credentialIds: null, answers: jumpAnswers })) {
    const { credentialId, scac } = line
    const known = activeJumps.get(credentialId)
    if (known !== undefined) {
      if (!isJumpOver(known.shareBefore, line.now) || !(await endJump(pool, credentialId))) continue
      log.info('line.understood_again', { scac })
      changed += 1
      continue
    }
    const jump = findJump(line.before, line.now)
    const example = jump === null ? null : await findUnreadExample(pool, credentialId)
    if (jump === null || example === null) continue
    const begun = { ...line, ...jump, beganAt: realNow(service), example }
    if (!(await beginJump(pool, begun))) continue
    metrics.lineMisread({ scac, says: describeJump(begun), snapshot: example.snapshotId })
    changed += 1
  }
  return changed
}

/** Lines whose answers are suddenly understood less. */
export async function listMisreadLines({ pool }: Pick<Service, 'pool'>): Promise<readonly LineJump[]> {
  return listJumps(pool)
}

/** Raises or ends the operator issue in this process, so that `/readyz` and the log of every process show it. */
export async function reportJumps({ pool, operatorIssues }: Pick<Service, 'pool' | 'operatorIssues'>): Promise<void> {
  const jumps = await listJumps(pool)
  if (jumps.length === 0) {
    if (operatorIssues.active().includes('line_misread')) operatorIssues.end('line_misread')
    return
  }
  operatorIssues.raise('line_misread', { reason: jumps.map(describeJump).join(' ') })
}

/** One sentence: which line, the shares, an example. */
export function describeJump(jump: Omit<LineJump, 'credentialId'>): string {
  const { scac, isSandbox, shareBefore, shareNow, example } = jump
  const name = `${findShippingLine(scac)?.shortName ?? 'The line'} (${scac}${isSandbox ? ', sandbox' : ''})`
  const why = Object.entries(example.unread)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
  return `${name}: ${formatPercent(shareNow)} of the events are not understood, ${formatPercent(shareBefore)} before; for example the answer about ${example.number}: ${why}.`
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`
}
