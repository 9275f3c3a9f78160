/** Who may do what in the account: API keys, members and invitations, connections to carriers, and the record of all changes. */

import { useParams } from '@tanstack/react-router'
import { TabbedPage } from '../parts/tabbed-page.tsx'
import { administrationWords as words } from '../words/administration.ts'
import './administration.css'
import { ConnectionsPart } from './connections-part.tsx'
import { KeysPart } from './keys-part.tsx'
import { MembersPart } from './members-part.tsx'
import { RecordPart } from './record-part.tsx'

const parts: Readonly<Record<string, React.ComponentType>> = {
  keys: KeysPart,
  members: MembersPart,
  connections: ConnectionsPart,
  record: RecordPart,
}
const elsewhere = [
  ['/account', words.account],
  ['/account/apps', words.apps],
] as const

export function AdministrationPage() {
  const { part } = useParams({ from: '/administration/$part' })
  return (
    <TabbedPage
      title={words.title}
      to="/administration/$part"
      part={part}
      parts={parts}
      labels={words.parts}
      elsewhere={elsewhere}
    />
  )
}
