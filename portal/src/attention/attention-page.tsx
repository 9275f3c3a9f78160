/** The inbox of exceptions, and the rules by which people are told of them. */

import { useState } from 'react'
import { useRead } from '../api/queries.ts'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { attentionWords as words } from '../words/attention.ts'
import { AlertRules } from './alert-rules.tsx'
import { AttentionItems, UnknownCounts } from './attention-items.tsx'
import './attention.css'

export function AttentionPage() {
  const [reason, setReason] = useState('')
  const found = useRead('/v2/attention', {
    query: {
      'filter[reason]': reason || null,
      include: 'shipment,container,tracking_request',
      'page[size]': 100,
    },
    keepsLast: true,
  })
  return (
    <div>
      <header className="page-head">
        <h1>{words.title}</h1>
        <p className="quiet">{words.about}</p>
      </header>
      <div className="two-columns">
        <Panel
          title={words.title}
          aside={
            <label className="field">
              <span className="unseen">{words.reason}</span>
              <select value={reason} onChange={(event) => setReason(event.target.value)}>
                <option value="">{words.all}</option>
                {Object.entries(words.reasons).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          }
        >
          {found.error !== null && <ProblemNote error={found.error} again={() => void found.refetch()} />}
          {found.data !== undefined && (
            <>
              <AttentionItems answer={found.data} />
              <UnknownCounts answer={found.data} />
            </>
          )}
        </Panel>
        <AlertRules />
      </div>
    </div>
  )
}
