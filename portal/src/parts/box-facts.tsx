/**
 * Holds, fees and free time of a container. Unknown and none are shown differently: `meta.said_by` names the source
 * that said "none".
 */

import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import { codeWords, plain, sourceWords } from '../words/names.ts'
import { words } from '../words/words.ts'
import { LimitDay, Unsaid } from './moment.tsx'
import { fromNow } from './time.ts'

const soonMs = 48 * 3_600_000
const dayMs = 86_400_000

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
  return <Unsaid>{typeof by === 'string' ? words.said.none(sourceWords(by)) : words.said.nobody}</Unsaid>
}

/** The last free day, and how long it is until that day ends. */
export function FreeTime({ box }: { box: Container['attributes'] }) {
  if (!box.pickup_lfd) return <Unsaid />
  const isOut = Boolean(box.pod_full_out_at ?? box.final_destination_full_out_at)
  const end = Date.parse(box.pickup_lfd) + dayMs
  const left = end - Date.now()
  const tone = isOut ? '' : left < 0 ? 'late' : left < soonMs ? 'soon' : ''
  return (
    <>
      <LimitDay at={box.pickup_lfd} zones={[box.final_destination_timezone, box.pod_timezone]} />
      {!isOut && (
        <span className={`under ${tone}`}>
          {left < 0
            ? `ended ${fromNow(new Date(end).toISOString(), Date.now())}`
            : `ends ${fromNow(new Date(end).toISOString(), Date.now())}`}
        </span>
      )}
    </>
  )
}
