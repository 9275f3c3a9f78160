/** Pages for those who run the installation: sources, messages, data quality, inference, and a try of an answer. */

import { useParams } from '@tanstack/react-router'
import { TabbedPage } from '../parts/tabbed-page.tsx'
import { EtasPart } from '../scorecards/etas-part.tsx'
import { operateWords as words } from '../words/operate.ts'
import { InferencePart } from './inference-part.tsx'
import { IssuesPart } from './issues-part.tsx'
import { JobsPart } from './jobs-part.tsx'
import { MessagesPart } from './messages-part.tsx'
import { ReadAnswerPart } from './read-answer-part.tsx'
import { SourcesPart } from './sources-part.tsx'

const parts: Readonly<Record<string, React.ComponentType>> = {
  sources: SourcesPart,
  jobs: JobsPart,
  messages: MessagesPart,
  issues: IssuesPart,
  estimates: EtasPart,
  inference: InferencePart,
  read: ReadAnswerPart,
}
const elsewhere = [
  ['/readyz', words.ready],
  ['/metrics', words.metrics],
] as const

export function OperatePage() {
  const { part } = useParams({ from: '/operate/$part' })
  return (
    <TabbedPage
      title={words.title}
      to="/operate/$part"
      part={part}
      parts={parts}
      labels={words.parts}
      elsewhere={elsewhere}
    />
  )
}
