/** What came of a trial: the finding in words with what to do, and what the answer has. */

import type { ReactNode } from 'react'
import { CodeBlock } from '../parts/code-block.tsx'
import { connectionWords } from '../words/connections.ts'

const words = connectionWords.result

export interface Trial {
  readonly works: boolean
  readonly cause: string
  readonly summary: string
  readonly remedy: string
  readonly answer: { readonly status: number | null; readonly seconds: number }
  readonly limits: readonly { readonly header: string; readonly value: string }[]
  readonly reading: {
    readonly events: number
    readonly events_understood: number
    readonly present: readonly string[]
    readonly absent: readonly string[]
    readonly not_understood: readonly string[]
    readonly statements: readonly string[]
    readonly containers: readonly { readonly number: string; readonly milestones: readonly string[] }[]
  } | null
  readonly saved: { readonly source_id: string } | null
}

export function TrialResult({ trial: { works, summary, remedy, answer, limits, reading, saved } }: { trial: Trial }) {
  const boxes = reading?.containers.flatMap(({ number, milestones }) => [
    number,
    ...milestones.map((each) => `  ${each}`),
  ])
  const read = boxes?.length ? boxes : (reading?.statements ?? [])
  return (
    <div className="trial">
      <p className={works ? 'trial-works' : 'fault'}>
        <strong>{summary}</strong>
      </p>
      {remedy !== '' && <p>{remedy}</p>}
      {saved !== null && <p>{words.stored}</p>}
      <dl className="connection-facts">
        <Fact term={words.answer}>{words.answered(answer.status, answer.seconds)}</Fact>
        {works && reading !== null && (
          <>
            <Fact term={words.events}>{words.understood(reading.events_understood, reading.events)}</Fact>
            <Fact term={words.present}>{reading.present.join(', ') || words.nothing}</Fact>
            {reading.absent.length > 0 && <Fact term={words.absent}>{reading.absent.join(', ')}</Fact>}
            {reading.not_understood.length > 0 && (
              <Fact term={words.notUnderstood}>{reading.not_understood.join('; ')}</Fact>
            )}
          </>
        )}
        {limits.length > 0 && (
          <Fact term={words.limits}>{limits.map(({ header, value }) => `${header}: ${value}`).join('; ')}</Fact>
        )}
      </dl>
      {works && read.length > 0 && (
        <details>
          <summary>{words.statements}</summary>
          <CodeBlock>{read.join('\n')}</CodeBlock>
        </details>
      )}
    </div>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
