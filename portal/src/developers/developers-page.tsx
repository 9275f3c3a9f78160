/** Pages for those who integrate: webhooks and their deliveries, the event log, the explorer, agents. */

import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import { TabbedPage } from '../parts/tabbed-page.tsx'
import { ShareLinksPart } from '../sharing/share-links-part.tsx'
import { developerWords as words } from '../words/developers.ts'
import { AgentsPart } from './agents-part.tsx'
import './developers.css'
import { EventLog } from './event-log.tsx'
import { UsagePart } from './usage-part.tsx'
import { WebhooksPart } from './webhooks-part.tsx'

const Explorer = lazy(() => import('./explorer-part.tsx').then(({ ExplorerPart }) => ({ default: ExplorerPart })))

const parts: Readonly<Record<string, React.ComponentType>> = {
  webhooks: WebhooksPart,
  events: EventLog,
  explorer: Explorer,
  agents: AgentsPart,
  links: ShareLinksPart,
  usage: UsagePart,
}
const elsewhere = [
  ['/account/apps', words.apps],
  ['/docs', words.docs],
] as const

export function DevelopersPage() {
  const { part } = useParams({ from: '/developers/$part' })
  return (
    <TabbedPage
      title={words.title}
      to="/developers/$part"
      part={part}
      parts={parts}
      labels={words.parts}
      elsewhere={elsewhere}
    />
  )
}
