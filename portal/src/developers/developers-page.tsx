/** Pages for those who integrate: webhooks and their deliveries, the event log, the explorer, agents. */

import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ShareLinksPart } from '../sharing/share-links-part.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { developerWords as words } from '../words/developers.ts'
import { words as common } from '../words/words.ts'
import { AgentsPart } from './agents-part.tsx'
import './developers.css'
import { EventLog } from './event-log.tsx'
import { WebhooksPart } from './webhooks-part.tsx'

const Explorer = lazy(() =>
  import('./explorer-part.tsx').then(({ ExplorerPart }) => ({ default: ExplorerPart })),
)

const parts: Readonly<Record<string, React.ComponentType>> = {
  webhooks: WebhooksPart,
  events: EventLog,
  explorer: Explorer,
  agents: AgentsPart,
  links: ShareLinksPart,
}
const elsewhere = [
  ['/account/keys', words.keys],
  ['/account/apps', words.apps],
  ['/account/members', words.members],
  ['/account/activity', words.activity],
  ['/docs', words.docs],
] as const

export function DevelopersPage() {
  const { part } = useParams({ from: '/developers/$part' })
  const Part = parts[part]
  return (
    <div>
      <h1>{words.title}</h1>
      <nav className="tabs" aria-label={words.title}>
        {Object.keys(parts).map((each) => (
          <Link
            key={each}
            to="/developers/$part"
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
      <Suspense fallback={<p className="quiet">{common.reading}</p>}>
        {Part === undefined ? <NotFound /> : <Part />}
      </Suspense>
    </div>
  )
}
