/** How an AI agent is connected: one press where the client has a link for it, else the command or the setting. */

import { Fragment } from 'react'
import { useAsk } from '../api/queries.ts'
import { Copied } from '../parts/copied.tsx'
import { Panel } from '../parts/panel.tsx'
import { developerWords } from '../words/developers.ts'
import { agentClients, agentSettings } from './agent-links.ts'

const words = developerWords.agents

/** The pages on which these programs take an address; no link gives it to them. */
const connectorsOf = {
  claude: 'https://claude.ai/settings/connectors?modal=add-custom-connector',
  chatgpt: 'https://chatgpt.com/#settings/Connectors',
} as const

export function AgentsPart() {
  const about = useAsk<{ readonly resource: string }>('/.well-known/oauth-protected-resource/mcp')
  const url = about.data?.resource ?? `${location.origin}/mcp`
  return (
    <Panel title={developerWords.parts['agents'] ?? ''}>
      <p>{words.about}</p>
      <p className="quiet">{words.tools}</p>
      <h3>{words.address}</h3>
      <Copied text={url} />
      {agentClients(url).map(({ name, link, command }) => (
        <Fragment key={name}>
          <h3>{name}</h3>
          {link !== null && (
            <p>
              <a className="button" href={link}>
                {words.open(name)}
              </a>
            </p>
          )}
          {command !== null && <Copied text={command} />}
        </Fragment>
      ))}
      <h3>{words.clients.claudeWeb}</h3>
      <p>
        <a className="button" href={connectorsOf.claude} target="_blank" rel="noreferrer">
          {words.open(words.clients.claudeWeb)}
        </a>
      </p>
      <p>{words.claudeWeb}</p>
      <h3>{words.clients.chatgpt}</h3>
      <p>
        <a className="button" href={connectorsOf.chatgpt} target="_blank" rel="noreferrer">
          {words.open(words.clients.chatgpt)}
        </a>
      </p>
      <p>{words.chatgpt}</p>
      {url.startsWith('https:') ? null : <p className="quiet">{words.outside}</p>}
      <h3>{words.clients.other}</h3>
      <p>{words.other}</p>
      <Copied text={agentSettings(url, { hasKey: false })} />
      <p>{words.withKey}</p>
      <Copied text={agentSettings(url, { hasKey: true })} />
    </Panel>
  )
}
