/**
 * What the terminal reports about a box after its last discharge: holds that are set, released and set again, a fee,
 * the last free day.
 */

import { fraction } from '../../sandbox/chance.ts'
import { DAY, HOUR } from '../../sandbox/local-time.ts'
import type { Shipment } from '../../sandbox/shipment.ts'
import type { FactName, FactObservation, FactValues, HoldStatement } from '../../src/domain/statements/observation.ts'

export interface TerminalSaying {
  readonly atMs: number
  readonly observation: FactObservation & { readonly equipment: string }
}

const examined: HoldStatement = {
  name: 'customs',
  status: 'hold',
  description: 'intensive customs examination',
}
const cleared: HoldStatement = { name: 'customs', status: 'released', description: 'released by customs' }
const unpaid: HoldStatement = { name: 'freight', status: 'hold', description: 'freight is due' }
const paid: HoldStatement = { name: 'freight', status: 'released', description: 'released by the carrier' }

/** For three boxes out of five. The sandbox's world has none of these. */
export function terminalSayings(shipment: Shipment, box: string): readonly TerminalSaying[] {
  const chance = (what: string) => fraction(`${what} ${shipment.key} ${box}`)
  const place = shipment.boxes.findIndex(({ number }) => number === box)
  const landed = shipment.facts.findLast(({ code, boxes }) => code === 'DISC' && boxes.includes(place))
  if (landed === undefined || chance('told') > 0.6) return []
  const say = <Name extends FactName>(
    afterMs: number,
    fact: Name,
    value: FactValues[Name],
    which = '',
  ): TerminalSaying => ({
    atMs: landed.at + afterMs,
    observation: {
      kind: 'fact',
      key: `${shipment.key} ${fact} ${which} ${box}`,
      fact,
      value,
      equipment: box,
      statedAt: null,
      isRetracted: false,
    } as unknown as TerminalSaying['observation'],
  })
  const hold = (afterMs: number, word: HoldStatement) => say(afterMs, 'hold', word, word.name)
  const lastDay = new Date(landed.at + 5 * DAY).toISOString().slice(0, 10)
  const moved = new Date(landed.at + 7 * DAY).toISOString().slice(0, 10)
  const customs = [hold(2 * HOUR, examined), hold(20 * HOUR, cleared)]
  const again = chance('again') < 0.3 ? [hold(26 * HOUR, examined)] : []
  const freight = chance('freight') < 0.5 ? [hold(3 * HOUR, unpaid)] : []
  const settled = freight.length > 0 && chance('paid') < 0.7 ? [hold(30 * HOUR, paid)] : []
  const exam = {
    type: 'exam',
    status: 'due',
    amount: 250 + Math.floor(chance('fee') * 100),
    currencyCode: 'USD',
    description: 'exam fee',
  } as const
  const fee = chance('exam') < 0.5 ? [say(2 * HOUR, 'fee', exam, 'exam')] : []
  const freeTime = [
    say(2 * HOUR, 'pickup_lfd_terminal', { kind: 'day', on: lastDay }),
    ...(chance('longer') < 0.4 ? [say(28 * HOUR, 'pickup_lfd_terminal', { kind: 'day', on: moved })] : []),
  ]
  return [...customs, ...again, ...freight, ...settled, ...fee, ...freeTime]
}
