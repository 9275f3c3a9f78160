/** What a carrier, terminal or railroad needs, and where to get it. A gap is shown as unknown. */

import type { ReactNode } from 'react'
import { Panel } from '../parts/panel.tsx'
import { connectionWords } from '../words/connections.ts'

const words = connectionWords.guide

const facts = [
  'product',
  'holder',
  'cost',
  'duration',
  'version',
  'authentication',
  'limits',
  'codes',
  'delays',
] as const

export interface TargetNeeds {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly known: boolean
  readonly billed: boolean
  readonly remarks: string
  readonly secret_names: readonly string[]
  readonly profile_fields: readonly string[]
  readonly guide:
    | ({
        readonly ways: readonly string[]
        readonly portal: string | null
        readonly differences: readonly string[]
        readonly sources: readonly {
          readonly url: string | null
          readonly title: string
          readonly day: string
          readonly grade: string
        }[]
      } & Readonly<Record<(typeof facts)[number], string | null>>)
    | null
}

export function ConnectionGuide({ target }: { target: TargetNeeds }) {
  const { guide } = target
  return (
    <Panel title={target.name} aside={<span className="code">{target.id}</span>}>
      {!target.known && <p>{words.unknownInterface}</p>}
      <dl className="connection-facts">
        <Fact term={words.bring}>{[...target.secret_names, ...target.profile_fields].join(', ') || words.nothing}</Fact>
        {guide !== null && (
          <>
            <Fact term={words.portal}>{guide.portal && <Away to={guide.portal} />}</Fact>
            <Fact term={words.ways}>{guide.ways.map((way) => words.wayNames[way] ?? way).join(', ')}</Fact>
            {facts.map((name) => (
              <Fact key={name} term={words[name]}>
                {guide[name]}
              </Fact>
            ))}
          </>
        )}
        {target.remarks !== '' && <Fact term={words.remarks}>{target.remarks}</Fact>}
      </dl>
      {guide !== null && guide.differences.length > 0 && (
        <details>
          <summary>{words.differences(guide.differences.length)}</summary>
          <ul>
            {guide.differences.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      )}
      {guide !== null && (
        <details>
          <summary>{words.sources(guide.sources.length)}</summary>
          <ul>
            {guide.sources.map(({ url, title, day, grade }) => (
              <li key={`${title} ${url}`}>
                {title}
                {url !== null && <Away to={url} />}
                <span className="under">
                  {day}, {words.grades[grade] ?? grade}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children || <span className="quiet">{words.unknown}</span>}</dd>
    </div>
  )
}

/** A text that is no address stays a text. */
function Away({ to }: { to: string }) {
  if (!/^https?:\/\/\S+$/.test(to)) return <>{to}</>
  return (
    <a className="away" href={to} target="_blank" rel="noreferrer">
      {to}
    </a>
  )
}
