/** The members of the account with their roles, and the invitations that are open. */

import { type FormEvent, useState } from 'react'
import type { Invitation, Member } from '../../../sdk/typescript/src/description.generated.ts'
import { readVisitor } from '../api/credentials.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Table } from '../operate/table.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Copied } from '../parts/copied.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { administrationWords } from '../words/administration.ts'
import { NeedsAdmin } from './needs-admin.tsx'

const words = administrationWords.members

export function MembersPart() {
  const found = useRead('/v2/members')
  const invitations = useRead('/v2/invitations')
  const [link, setLink] = useState<string | null>(null)
  if (found.error !== null) return <NeedsAdmin error={found.error} again={() => void found.refetch()} />
  return (
    <>
      {link !== null && (
        <div className="note" role="status">
          <strong>{words.invited}</strong>
          <p>{words.link}</p>
          <Copied text={link} />
        </div>
      )}
      <Panel title={administrationWords.parts['members'] ?? ''}>
        <p className="quiet">{words.about}</p>
        <Table label={administrationWords.parts['members'] ?? ''} columns={words.columns}>
          {found.data?.data.map((member) => (
            <Row key={member.id} member={member} isManaged={invitations.data !== undefined} />
          ))}
        </Table>
      </Panel>
      {invitations.error !== null ? (
        <NeedsAdmin error={invitations.error} again={() => void invitations.refetch()} />
      ) : (
        <div className="two-columns">
          <Panel title={words.invitations}>
            {invitations.data?.data.length === 0 ? (
              <p className="quiet">{words.invitationsNone}</p>
            ) : (
              <Table label={words.invitations} columns={words.invitationColumns}>
                {invitations.data?.data.map((invitation) => (
                  <Open key={invitation.id} invitation={invitation} />
                ))}
              </Table>
            )}
          </Panel>
          <Invite onLink={setLink} />
        </div>
      )}
    </>
  )
}

function Row({ member: { id, attributes }, isManaged }: { member: Member; isManaged: boolean }) {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const { name = '', email, role = '' } = attributes
  const isSelf = connection.credentials.kind === 'session' && readVisitor()?.id === id
  const question = isSelf ? words.leaving : words.removing(name)
  const path = `/v2/members/${id}`
  const appoint = (wanted: string): Promise<boolean> => {
    const data = { type: 'member', id, attributes: { role: wanted } }
    return act(() => connection.ask('PATCH', path, { data }), words.roleChanged)
  }
  const remove = async (): Promise<void> => {
    await connection.ask('DELETE', path)
    // Nothing of the account can be read any more.
    if (isSelf) location.assign('/account')
  }
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="under">{email}</span>
      </th>
      <td>
        {isManaged ? (
          <RoleChoice
            label={words.role(name)}
            choices={administrationWords.roles}
            value={role}
            onChange={(wanted) => void appoint(wanted)}
          />
        ) : (
          (administrationWords.roles[role] ?? role)
        )}
      </td>
      <td>{attributes.has_two_factor ? words.secured : <span className="quiet">{words.unsecured}</span>}</td>
      <td>
        <Moment at={attributes.created_at} zone="UTC" />
      </td>
      <td>
        {(isManaged || isSelf) && (
          <button type="button" className="link danger" onClick={() => setAsking(true)}>
            {question.yes}
            <span className="unseen">: {name}</span>
          </button>
        )}
        {isAsking && (
          <Confirm {...question} onYes={() => void act(remove, words.removed)} onClose={() => setAsking(false)} />
        )}
      </td>
    </tr>
  )
}

/** The API decides whom the reader may appoint, and says so. */
function RoleChoice(props: {
  label: string
  choices: Readonly<Record<string, string>>
  value: string
  onChange: (role: string) => void
}) {
  return (
    <select aria-label={props.label} value={props.value} onChange={(event) => props.onChange(event.target.value)}>
      {Object.entries(props.choices).map(([role, label]) => (
        <option key={role} value={role}>
          {label}
        </option>
      ))}
    </select>
  )
}

function Open({ invitation: { id, attributes } }: { invitation: Invitation }) {
  const connection = useConnection()
  const act = useAct()
  const { email = '', role = '' } = attributes
  return (
    <tr>
      <th scope="row">{email}</th>
      <td>{administrationWords.roles[role] ?? role}</td>
      <td>
        <Moment at={attributes.created_at} zone="UTC" />
      </td>
      <td>
        <Moment at={attributes.expires_at} zone="UTC" />
      </td>
      <td>
        <button
          type="button"
          className="link danger"
          onClick={() => void act(() => connection.ask('DELETE', `/v2/invitations/${id}`), words.revoked)}
        >
          {words.revoke}
          <span className="unseen">: {email}</span>
        </button>
      </td>
    </tr>
  )
}

function Invite({ onLink }: { onLink: (link: string | null) => void }) {
  const connection = useConnection()
  const act = useAct()
  const [role, setRole] = useState('member')
  const [isSending, setSending] = useState(false)
  const invite = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const element = event.currentTarget
    const email = String(new FormData(element).get('email') ?? '').trim()
    setSending(true)
    await act(async () => {
      const data = { type: 'member', attributes: { email, role } }
      const answer = (await connection.ask('POST', '/v2/members', { data })) as { readonly data: Invitation }
      onLink(answer.data.attributes.url ?? null)
      element.reset()
    }, words.invited)
    setSending(false)
  }
  return (
    <Panel title={words.invite}>
      <form className="stack" onSubmit={(event) => void invite(event)}>
        <label className="field">
          <span>{words.email}</span>
          <input name="email" type="email" required />
        </label>
        <div className="field">
          <span aria-hidden="true">{words.roleLabel}</span>
          <RoleChoice label={words.roleLabel} choices={words.mayDo} value={role} onChange={setRole} />
        </div>
        <button type="submit" className="primary" disabled={isSending}>
          {words.send}
        </button>
      </form>
    </Panel>
  )
}
