/** All share links of the account: until when each is good, how often it was opened, and how it is withdrawn. */

import { useState } from 'react'
import type { ShareLink } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { useAct } from '../parts/use-act.ts'
import { sharingWords as words } from '../words/sharing.ts'

export function ShareLinksPart() {
  const found = useRows('/v2/share_links')
  if (found.error !== null) return <ProblemNote error={found.error} again={found.again} />
  return (
    <Panel title={words.links}>
      <p className="quiet">{words.linksAbout}</p>
      {found.isEmpty && <p>{words.linksNone}</p>}
      <ul className="plain-list">
        {found.rows.map((link) => (
          <Link key={link.id} link={link} />
        ))}
      </ul>
      <ReadMore list={found} />
    </Panel>
  )
}

function Link({ link }: { link: ShareLink }) {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const { name = '', expires_at: until = '' } = link.attributes
  const withdraw = (): Promise<boolean> =>
    act(() => connection.ask('DELETE', `/v2/share_links/${link.id}`), words.withdrawn)
  return (
    <li className="hook">
      <strong>{name}</strong>{' '}
      <span className="quiet">
        {Date.parse(until) < Date.now() ? words.expired : words.until} <Moment at={until} zone="UTC" /> ·{' '}
        {words.opened(link.meta?.opened ?? 0)}
      </span>{' '}
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        {words.withdraw}
        <span className="unseen">: {name}</span>
      </button>
      {isAsking && (
        <Confirm
          title={words.withdrawAsk(name)}
          about={words.withdrawAbout}
          yes={words.withdraw}
          onYes={() => void withdraw()}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
