/**
 * One statement for each hold. What sets a hold and what releases it have the same key, the name of the hold. For an
 * `other` hold, the key also names it. Several reasons for the same name are one hold until all of it is released.
 */

import type { FactObservation, Hold } from '../../domain/statements/observation.ts'
import type { ReadContext, ReadStatus } from './context.ts'
import type { Effect } from './effects.ts'
import { buildFact, statedAtOf } from './fact.ts'
import type { ReferenceValues } from './reference-values.ts'

interface HoldStatement {
  readonly name: Hold['name']
  readonly other: string | null
  readonly isSet: boolean
  readonly description: string | null
  readonly statedAt: string | null
  /** Date and time as written, to sort the statements of one message. */
  readonly order: string
}

export function writeHolds(
  statuses: readonly ReadStatus[],
  values: ReferenceValues,
  context: ReadContext & { readonly container: string },
): readonly FactObservation[] {
  const holdStatements = [
    ...statuses.flatMap((status) => holdStatementsOf(status, values, context)),
    ...holdStatementsOfFees(values),
  ]
  const byHold = Map.groupBy(holdStatements, ({ name, other }) => (other === null ? name : `${name}|${other}`))
  return [...byHold].map(([keyPart, sameHold]) => {
    const inOrder = sameHold.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    const last = inOrder.at(-1) as HoldStatement
    const reasons = last.isSet ? inOrder.slice(inOrder.findLastIndex(({ isSet }) => !isSet) + 1) : [last]
    const texts = new Set(reasons.map(({ description }) => description).filter((text) => text !== null))
    const value = {
      name: last.name,
      status: last.isSet ? 'hold' : 'released',
      description: texts.size === 0 ? null : [...texts].join('; '),
    } as const
    return buildFact('hold', value, { container: context.container, keyPart, statedAt: last.statedAt })
  })
}

function holdStatementsOf(status: ReadStatus, values: ReferenceValues, context: ReadContext): readonly HoldStatement[] {
  const effects = (status.effects ?? []).filter(({ kind }) => kind === 'hold' || kind === 'release')
  if (effects.length === 0) return []
  const common = {
    description: status.meaning ?? status.code,
    statedAt: statedAtOf(status, context),
    order: `${status.moment.date} ${status.moment.time}`,
  }
  return effects.flatMap((effect) => holdsOf(effect, values).map((hold) => ({ ...hold, ...common })))
}

function holdsOf(effect: Effect, values: ReferenceValues): readonly Pick<HoldStatement, 'name' | 'other' | 'isSet'>[] {
  if (effect.kind !== 'hold' && effect.kind !== 'release') return []
  const isSet = effect.kind === 'hold'
  if (effect.name !== 'terminal_charges') return [{ name: effect.name, other: effect.other, isSet }]
  const ofTraffic = { name: 'TMF', other: null, isSet } as const
  const ofTerminal = { name: 'other', other: 'terminal_charges', isSet } as const
  // A container with paid terminal charges owes neither of the two.
  if (!isSet) return [ofTraffic, ofTerminal]
  return values.fees.some(({ hold }) => hold === 'TMF') ? [ofTraffic] : [ofTerminal]
}

/** Fees that hold the container until they are paid. */
function holdStatementsOfFees({ fees }: ReferenceValues): readonly HoldStatement[] {
  return fees.flatMap(({ hold, amount, description }) =>
    hold === null ? [] : [{ name: hold, other: null, isSet: amount > 0, description, statedAt: null, order: '' }],
  )
}
