/** What all containers together owe, will owe, and could still avoid; and of how many it is not known. */

import { Link } from '@tanstack/react-router'
import { nameDay } from '../../../src/domain/view/day-count.ts'
import { todayIn } from '../parts/time.ts'
import { chargeWords } from '../words/charges.ts'
import { type Bill, type ChargeSums, isBeingCounted, moneyTexts } from './charges-document.ts'

const words = chargeWords.clocks

export function ChargeTiles({ sums, until }: { sums: ChargeSums | null; until: string | null }) {
  if (sums === null || until === null) return null
  if (sums.counted === 0 && !isBeingCounted(sums))
    return (
      <p className="note">
        {words.noTerms}{' '}
        <Link to="/charges/$part" params={{ part: 'terms' }}>
          {chargeWords.parts['terms']}
        </Link>
      </p>
    )
  const unknown = Object.entries(sums.unknown).filter(([, count]) => count > 0)
  return (
    <dl className="tiles">
      <Tile label={words.owed} bill={sums.owed} tone="bad" />
      <Tile label={words.forecast(nameDay(until, todayIn(null)))} bill={sums.forecast} />
      <div>
        <dt>{words.avoidable}</dt>
        <dd className="done">
          {sums.avoidable.some(({ minor }) => minor > 0) ? moneyTexts(sums.avoidable) : words.nothing}
        </dd>
      </div>
      <div>
        <dt>{words.unknownSum}</dt>
        <dd>
          {unknown.reduce((sum, [, count]) => sum + count, 0).toLocaleString('en')}
          {unknown.map(([reason, count]) => (
            <span key={reason} className="under">
              {count.toLocaleString('en')}: {words.reasons[reason] ?? reason}
            </span>
          ))}
        </dd>
      </div>
    </dl>
  )
}

function Tile({ label, bill, tone = '' }: { label: string; bill: Bill; tone?: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={bill.totals.length > 0 ? tone : ''}>
        {bill.totals.length > 0 ? moneyTexts(bill.totals) : bill.unpriced_days > 0 ? words.notPriced : words.nothing}
        {bill.unpriced_days > 0 && <span className="under">{words.unpriced(bill.unpriced_days)}</span>}
      </dd>
    </div>
  )
}
