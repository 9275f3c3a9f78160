/**
 * Explains the fault of a text that is intended as a container number, so that a typing mistake is not reported as `not
 * found`. A tracked container of the account whose number is one mistake away is most probably the intended one.
 */

import { anyTime } from '../../db/listing/page.ts'
import { numbersOneSlipAway } from '../../domain/values/number-slips.ts'
import { readNumber } from '../../inference/number.ts'
import { describeUnknownOwner } from '../../inference/owner-codes.ts'
import { describeMistypedNumber, readPasted } from '../../inference/pasted.ts'
import { withCorrectCheckDigit } from '../../inference/validation.ts'
import { compactNumber } from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../access/context.ts'
import { listContainerRows } from '../containers/list-containers-sql.ts'
import type { Service } from '../service.ts'

/** When there are more, none is named, because the intended one is unknown. */
const namedMax = 3

/** Null for a correct number, and for a text that is no container number at all. */
export async function explainContainerNumberTypo(
  service: Service,
  context: Context,
  raw: string,
): Promise<string | null> {
  requireScope(context, 'read')
  const pasted = readPasted(raw)
  if (pasted.kind === 'slip' || pasted.kind === 'changed') return describeMistypedNumber(pasted)
  const sent = pasted.kind === 'number' ? pasted.number : raw
  const reading = readNumber(sent)
  if (reading?.kind !== 'container' || reading.checkDigit === 'passed') return null
  const number = compactNumber(null, sent).replaceAll('/', '')
  const right = withCorrectCheckDigit(reading.number)
  const stranger = describeUnknownOwner(number)
  const what =
    reading.checkDigit === 'completed'
      ? `${number} is not a complete container number: its check digit is missing (ISO 6346). The complete number is ${right}.`
      : `${number} is not a container number: its check digit is wrong (ISO 6346)${stranger === null ? '' : `, and ${stranger}`}, so it contains a typing mistake. If only the last digit is wrong, the number is ${right}; check the other characters too.`
  const tracked = await findTrackedNumbers(service, context, numbersOneSlipAway(number))
  if (tracked.length === 0 || tracked.length > namedMax) return what
  return `${what} One mistake away, and tracked here: ${tracked.join(', ')}.`
}

async function findTrackedNumbers(
  service: Service,
  context: Context,
  numbers: readonly string[],
): Promise<readonly string[]> {
  if (numbers.length === 0) return []
  const { rows } = await listContainerRows(service.pool, {
    accountId: context.account.id,
    filter: { number: null, numbers, status: null, scac: null, updatedAt: anyTime },
    order: '-updated_at',
    page: { number: 1, size: 10 },
    isCounted: false,
  })
  return [...new Set(rows.map(({ projection }) => projection.number))]
}
