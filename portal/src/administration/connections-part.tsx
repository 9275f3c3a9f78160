/** The carriers, terminals and railroads to which the account has access, and how it gets access to another one. */

import { useRef, useState } from 'react'
import type { Source } from '../../../sdk/typescript/src/description.generated.ts'
import { isSimulated } from '../api/journey-clock.ts'
import { useAsk, useRead } from '../api/queries.ts'
import { Table } from '../operate/table.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Reading } from '../parts/reading.tsx'
import { connectionWords as words } from '../words/connections.ts'
import { ConnectionForm } from './connection-form.tsx'
import { ConnectionGuide, type TargetNeeds } from './connection-guide.tsx'
import { NeedsAdmin } from './needs-admin.tsx'
import './connections.css'

interface Target {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly code: string
}

export function ConnectionsPart() {
  // Only an admin may read the keys, and connect.
  const allowed = useRead('/v2/api_keys')
  const targets = useAsk<{ readonly data: readonly Target[] }>('/v2/connection_targets')
  const sources = useRead('/v2/sources')
  const [typed, setTyped] = useState('')
  const name = useRef<HTMLInputElement>(null)
  const error = allowed.error ?? targets.error ?? sources.error
  if (error !== null) return <NeedsAdmin error={error} again={() => void allowed.refetch()} />
  if (allowed.data === undefined || targets.data === undefined || sources.data === undefined) return <Reading />
  const all = targets.data.data
  const chosen = findTarget(all, typed)
  const connected = sources.data.data.filter(({ attributes }) => attributes.speaker !== 'ais')
  const storedOf = (target: Target) =>
    connected.some(
      ({ attributes: { own, asked, speaker, code } }) =>
        own && asked && speaker === target.kind && code === target.code,
    )
  return (
    <>
      <Panel title={words.choose}>
        <p className="quiet">{isSimulated() ? words.sandbox : words.about}</p>
        <label className="field target-name">
          <span>{words.name}</span>
          <input
            ref={name}
            type="search"
            list="connection-targets"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <datalist id="connection-targets">
          {all.map((target) => (
            <option key={target.id} value={labelOf(target)} />
          ))}
        </datalist>
      </Panel>
      {chosen !== null && <Chosen key={chosen.id} id={chosen.id} hasStored={storedOf(chosen)} />}
      {!isSimulated() && (
        <Connected
          sources={connected}
          onAgain={({ speaker, code }) => {
            const target = all.find((each) => each.kind === speaker && each.code === code)
            if (target !== undefined) setTyped(labelOf(target))
            name.current?.focus()
          }}
        />
      )}
    </>
  )
}

function labelOf({ id, name, kind }: Target): string {
  return `${name} (${id})${words.kinds[kind] ?? ''}`
}

function findTarget(all: readonly Target[], typed: string): Target | null {
  const wanted = typed.trim().toLowerCase()
  return all.find((each) => [labelOf(each), each.name, each.id].some((text) => text.toLowerCase() === wanted)) ?? null
}

/** What a target needs, and the form for it. */
function Chosen({ id, hasStored }: { id: string; hasStored: boolean }) {
  const found = useAsk<{ readonly data: TargetNeeds }>(`/v2/connection_targets/${encodeURIComponent(id)}`)
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  if (found.data === undefined) return <Reading />
  const target = found.data.data
  if (isSimulated()) return <ConnectionGuide target={target} />
  return (
    <div className="two-columns">
      <ConnectionGuide target={target} />
      <ConnectionForm target={target} hasStored={hasStored} />
    </div>
  )
}

type Attributes = Source['attributes']

function Connected({ sources, onAgain }: { sources: readonly Source[]; onAgain: (source: Attributes) => void }) {
  return (
    <Panel title={words.connected.title}>
      {sources.length === 0 ? (
        <p className="quiet">{words.connected.none}</p>
      ) : (
        <Table label={words.connected.title} columns={words.connected.columns}>
          {sources.map(({ id, attributes: source }) => (
            <tr key={id}>
              <th scope="row">
                {source.name} <span className="code">{source.code}</span>
                <span className="under">{source.own ? words.connected.own : words.connected.all}</span>
              </th>
              <td>
                <State source={source} />
              </td>
              <td>
                {source.own && source.asked && (
                  <button type="button" className="link" onClick={() => onAgain(source)}>
                    {words.connected.again}
                    <span className="unseen">: {source.name}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  )
}

function State({ source }: { source: Attributes }) {
  const { enabled, left_alone_until: until, failures_in_a_row: failures = 0, trouble } = source
  if (enabled === false) return <span className="quiet">{words.connected.off}</span>
  const last = source.last_answered_at ?? source.last_heard_at
  return (
    <>
      {until && (
        <span className="soon">
          {words.connected.pausedUntil} <Moment at={until} zone="UTC" />
        </span>
      )}
      {failures > 0 && <span className="fault">{words.connected.failures(failures)}</span>}
      {trouble && <span className="fault">{trouble}</span>}
      {last && failures === 0 && !trouble && !until && words.connected.works}
      {last ? (
        <span className="under">
          {words.connected.last} <Moment at={last} zone="UTC" />
        </span>
      ) : (
        <span className="quiet">{words.connected.nothingYet}</span>
      )}
    </>
  )
}
