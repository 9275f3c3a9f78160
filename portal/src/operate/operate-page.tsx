/** Pages for those who run the installation: sources, messages, data quality, inference, and a try of an answer. */

import { Link, useParams } from '@tanstack/react-router'
import { NotFound } from '../shell/not-found.tsx'
import { operateWords as words } from '../words/operate.ts'
import '../developers/developers.css'
import { InferencePart } from './inference-part.tsx'
import { IssuesPart } from './issues-part.tsx'
import { MessagesPart } from './messages-part.tsx'
import { ReadAnswerPart } from './read-answer-part.tsx'
import { SourcesPart } from './sources-part.tsx'

const parts: Readonly<Record<string, React.ComponentType>> = {
  sources: SourcesPart,
  messages: MessagesPart,
  issues: IssuesPart,
  inference: InferencePart,
  read: ReadAnswerPart,
}
const elsewhere = [
  ['/readyz', words.ready],
  ['/metrics', words.metrics],
  ['/account/activity', words.activity],
] as const

export function OperatePage() {
  const { part } = useParams({ from: '/operate/$part' })
  const Part = parts[part]
  return (
    <div>
      <h1>{words.title}</h1>
      <nav className="tabs" aria-label={words.title}>
        {Object.keys(parts).map((each) => (
          <Link
            key={each}
            to="/operate/$part"
            params={{ part: each }}
            {...(each === part ? { 'aria-current': 'page' as const } : {})}
          >
            {words.parts[each]}
          </Link>
        ))}
        <span className="tabs-gap" />
        {elsewhere.map(([href, label]) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </nav>
      {Part === undefined ? <NotFound /> : <Part />}
    </div>
  )
}
