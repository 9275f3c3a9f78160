/**
 * Holds, fees and free time of a container. Unknown and none are shown differently: `meta.said_by` names the source
 * that said "none".
 */

import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import { countDays, describeDaysLeft, nameDay } from '../../../src/domain/view/day-count.ts'
import { chargeWords } from '../words/charges.ts'
import { codeWords, plain, sourceWords } from '../words/names.ts'
import { words } from '../words/words.ts'
import { Unsaid } from './moment.tsx'
import { todayIn } from './time.ts'

const soonDays = 2

export function Holds({ box }: { box: Container }) {
  const holds = box.attributes.holds_at_pod_terminal ?? []
  if (holds.length === 0) return <None box={box} name="holds_at_pod_terminal" />
  return (
    <ul className="plain-list">
      {holds.map(({ name, status, description }) => (
        <li key={`${name} ${status}`} className="held" title={description ?? ''}>
          {plain(name)}: {codeWords(status)}
        </li>
      ))}
    </ul>
  )
}

export function Fees({ box }: { box: Container }) {
  const fees = box.attributes.fees_at_pod_terminal ?? []
  if (fees.length === 0) return <None box={box} name="fees_at_pod_terminal" />
  return (
    <ul className="plain-list">
      {fees.map(({ type, amount, currency_code: currency }) => (
        <li key={type}>
          {plain(type)}: {amount.toLocaleString('en', { style: 'currency', currency })}
        </li>
      ))}
    </ul>
  )
}

function None({ box, name }: { box: Container; name: string }) {
  const meta = (box.meta ?? {}) as { readonly said_by?: Readonly<Record<string, unknown>> }
  const by = meta.said_by?.[name]
  return typeof by === 'string' ? <span className="unsaid">{words.said.none(sourceWords(by))}</span> : <Unsaid />
}

/** The last free day that counts, the days until then, and on hover who named it and which other days were named. */
export function FreeTime({ box }: { box: Container['attributes'] }) {
  const { free_until: free, pod_full_out_at: outOfPort, final_destination_full_out_at: outOfEnd } = box
  if (!free) return <Unsaid reason={chargeWords.clocks.noDay} />
  const today = todayIn(free.timezone)
  const named = [free, ...free.others].map((day) => chargeWords.freeDay(nameDay(day.on, today), day))
  return <FreeDay day={free} isOut={Boolean(outOfPort ?? outOfEnd)} title={named.join('\n')} />
}

export function FreeDay(of: { day: { on: string; timezone: string | null }; isOut?: boolean; title?: string }) {
  const { day, isOut = false, title } = of
  const today = todayIn(day.timezone)
  const days = countDays(today, day.on)
  const tone = days < 0 ? 'late' : days <= soonDays ? 'soon' : ''
  return (
    <span className="free-time" title={title}>
      <time dateTime={day.on}>{nameDay(day.on, today)}</time>
      {!isOut && <span className={`under ${tone}`}>{describeDaysLeft(days)}</span>}
    </span>
  )
}
