/** A curve for each group: the mean error at each range of days ahead. */

import type { EtaScore } from '../../../sdk/typescript/src/description.generated.ts'
import { scorecardWords as words } from '../words/scorecards.ts'
import { groupOf, hours } from './eta-figures.ts'
import './scorecards.css'

const [width, height] = [320, 180]
const daysAhead = [0, 1, 2, 3, 5, 7, 10, 14, 21, 35]
const curvesMax = 5
/** Curves are told apart without colours too. */
const dashes = ['', '6 3', '2 3', '9 3 2 3', '1 5']

const daysOf = ({ attributes }: EtaScore): number => attributes.days_ahead_min ?? 0
const errorOf = ({ attributes }: EtaScore): number => attributes.mean_error_hours ?? 0

export function EtaCurves({ scores }: { scores: readonly EtaScore[] }) {
  const count = (of: readonly EtaScore[]) => of.reduce((sum, { attributes }) => sum + (attributes.estimates ?? 0), 0)
  const all = [...Map.groupBy(scores, groupOf)].toSorted(([, a], [, b]) => count(b) - count(a))
  const curves = all.slice(0, curvesMax)
  const errors = curves.flatMap(([, of]) => of.map(errorOf))
  const top = Math.max(24, ...errors)
  const x = (days: number): number => (daysAhead.indexOf(days) * width) / (daysAhead.length - 1)
  const y = (error: number): number => height - (error / top) * height
  return (
    <figure className="eta-curves">
      <svg viewBox={`-40 -14 ${width + 60} ${height + 40}`} role="img" aria-label={words.curve}>
        {[0, top / 2, top].map((error) => (
          <g key={error}>
            <path d={`M0 ${y(error)} H${width}`} stroke="var(--line)" />
            <text x="-6" y={y(error) + 4} textAnchor="end">
              {Math.round(error)}
            </text>
          </g>
        ))}
        {daysAhead.map((days) => (
          <text key={days} x={x(days)} y={height + 18} textAnchor="middle">
            {days}
          </text>
        ))}
        {curves.map(([group, of], index) => (
          <g key={group} fill="none" stroke="var(--accent)" strokeDasharray={dashes[index]}>
            <title>{group}</title>
            <polyline strokeWidth="2" points={of.map((each) => `${x(daysOf(each))},${y(errorOf(each))}`).join(' ')} />
            {of.map((each) => (
              <circle key={each.id} cx={x(daysOf(each))} cy={y(errorOf(each))} r="2.5" fill="var(--accent)">
                <title>{`${group}: ${hours(errorOf(each))} h`}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      <figcaption>
        <span className="quiet">
          {words.curve}. {all.length > curves.length && words.curveAbout(curves.length)}
        </span>
        <ul className="plain-list">
          {curves.map(([group], index) => (
            <li key={group}>
              <svg viewBox="0 0 36 8" width="36" height="8" aria-hidden="true">
                <path d="M0 4 H36" stroke="var(--accent)" strokeWidth="2" strokeDasharray={dashes[index]} />
              </svg>{' '}
              {group}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}
