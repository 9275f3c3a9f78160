/** The scorecard of inference, with its curve: how often a confidence was right. */

import { useAsk } from '../api/queries.ts'
import { Panel } from '../parts/panel.tsx'
import { operateWords } from '../words/operate.ts'

const words = operateWords.inference

interface Scorecard {
  readonly data: {
    readonly attributes: {
      readonly predictions: number
      readonly confirmed: number
      readonly accuracy: number | null
      readonly coverage: number | null
      readonly calibration_error: number | null
      readonly reliability: readonly {
        readonly confirmed: number
        readonly confidence: number
        readonly accuracy: number
      }[]
    }
  }
}
const side = 260

export function InferencePart() {
  const found = useAsk<Scorecard>('/v2/inference/scorecard')
  const card = found.data?.data.attributes
  if (card === undefined) return <p className="quiet">{found.error?.message}</p>
  const percent = (value: number | null): string => (value === null ? words.unknown : `${(value * 100).toFixed(1)} %`)
  const facts = [
    [words.predictions, card.predictions.toLocaleString('en')],
    [words.confirmed, card.confirmed.toLocaleString('en')],
    [words.accuracy, percent(card.accuracy)],
    [words.coverage, percent(card.coverage)],
    [words.error, percent(card.calibration_error)],
  ] as const
  return (
    <Panel title={operateWords.parts['inference'] ?? ''}>
      <p className="quiet">{words.about}</p>
      {card.predictions === 0 && <p>{words.none}</p>}
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {card.reliability.length > 0 && (
        <>
          <h3>{words.curve}</h3>
          <svg viewBox={`-30 -10 ${side + 50} ${side + 40}`} width={side + 80} role="img" aria-label={words.curve}>
            <rect width={side} height={side} fill="none" stroke="var(--line)" />
            <path d={`M0 ${side} ${side} 0`} stroke="var(--quiet)" strokeDasharray="3 5" fill="none" />
            {card.reliability.map(({ confidence, accuracy, confirmed }) => (
              <circle
                key={confidence}
                cx={confidence * side}
                cy={(1 - accuracy) * side}
                r={Math.min(12, 3 + Math.sqrt(confirmed))}
                fill="var(--accent)"
                fillOpacity="0.7"
              >
                <title>{`${percent(confidence)} → ${percent(accuracy)} (${confirmed})`}</title>
              </circle>
            ))}
          </svg>
          <p className="quiet">{words.curveAbout}</p>
        </>
      )}
    </Panel>
  )
}
