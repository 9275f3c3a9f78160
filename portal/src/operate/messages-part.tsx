/** What was sent to the account's channels, and what of it waits or was not understood. */

import { useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { codeWords, plain } from '../words/names.ts'
import { operateWords } from '../words/operate.ts'
import { Table } from './table.tsx'
import { UnmappedCodes } from './unmapped-codes.tsx'

const words = operateWords.messages
const statuses = ['heard', 'waiting', 'expired', 'unmapped', 'faulty'] as const

export function MessagesPart() {
  const connection = useConnection()
  const act = useAct()
  const [status, setStatus] = useState('')
  const [shown, setShown] = useState<{ readonly id: string; readonly text: string } | null>(null)
  const found = useRows('/v2/inbound_messages', { 'filter[status]': status || null })
  const open = (id: string): Promise<boolean> =>
    act(async () => setShown({ id, text: await connection.text(`/v2/inbound_messages/${id}/body`) }), '')
  const replay = (id: string): Promise<boolean> =>
    act(() => connection.ask('POST', `/v2/inbound_messages/${id}/replay`), words.replayed)
  return (
    <>
      <Panel title={operateWords.parts['messages'] ?? ''}>
        <p className="quiet">{words.about}</p>
        <label className="field reference">
          <span>{words.status}</span>
          <select value={status} onChange={(event) => setStatus(event.target.value)}>
            <option value="">–</option>
            {statuses.map((each) => (
              <option key={each} value={each}>
                {codeWords(each)}
              </option>
            ))}
          </select>
        </label>
        {found.isEmpty ? (
          <p className="quiet">{words.none}</p>
        ) : (
          <Table label={operateWords.parts['messages'] ?? ''} columns={words.columns}>
            {found.rows.map(({ id, attributes }) => (
              <tr key={id}>
                <td>
                  <Moment at={attributes.received_at} zone="UTC" />
                </td>
                <td>{attributes.channel}</td>
                <td>
                  <code>{attributes.content_type}</code>
                </td>
                <td>{attributes.byte_count}</td>
                <td>
                  {codeWords(attributes.status)}
                  {(attributes.faults ?? []).map((fault) => (
                    <span key={JSON.stringify(fault)} className="under">
                      {words.fault(plain(fault.kind), fault.detail, codeWords(fault.lost))}
                      {fault.place !== '' && <code className="under">{fault.place}</code>}
                    </span>
                  ))}
                </td>
                <td>
                  <button type="button" className="link" onClick={() => void open(id)}>
                    {words.open}
                  </button>{' '}
                  {attributes.status !== 'heard' && (
                    <button type="button" className="link" onClick={() => void replay(id)}>
                      {words.replay}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
        <ReadMore list={found} />
        {shown !== null && <CodeBlock>{shown.text}</CodeBlock>}
      </Panel>
      <UnmappedCodes />
    </>
  )
}
