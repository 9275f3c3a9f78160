/** Where a rule sends to: what this installation can do comes first, and nothing else is offered. */

import { useState } from 'react'
import type { Fault } from '../api/connection.ts'
import { attentionWords } from '../words/attention.ts'
import { RuleField } from './rule-field.tsx'

const words = attentionWords.to

type Kind = keyof typeof words.kinds

interface RuleReceiversProps {
  readonly hasMail: boolean
  readonly faults: readonly Fault[]
}

export function RuleReceivers({ hasMail, faults }: RuleReceiversProps) {
  const [chosen, setFormat] = useState<Kind | null>(null)
  const kinds: readonly Kind[] = hasMail ? ['email', 'slack', 'teams', 'json'] : ['slack', 'teams', 'json']
  const kind = chosen ?? (hasMail ? 'email' : 'slack')
  return (
    <fieldset className="stack">
      <legend>{words.title}</legend>
      <p className="to-kinds">
        {kinds.map((each) => (
          <label key={each}>
            <input type="radio" name="format" value={each} checked={each === kind} onChange={() => setFormat(each)} />{' '}
            {words.kinds[each]}
          </label>
        ))}
      </p>
      {kind !== 'email' && (
        <RuleField
          faults={faults}
          at="webhook"
          label={words.url}
          hint={words.hints[kind]}
          name="hook"
          type="url"
          required
          placeholder={words.examples[kind]}
        />
      )}
      {hasMail && (
        <RuleField
          faults={faults}
          at="emails"
          label={kind === 'email' ? words.emails : words.emailsToo}
          hint={words.emailsHint}
          name="emails"
          required={kind === 'email'}
        />
      )}
    </fieldset>
  )
}

export function readRuleReceivers(form: FormData): object {
  const text = (field: string): string => String(form.get(field) ?? '').trim()
  const hook = text('hook')
  return {
    emails: text('emails')
      .split(/[\s,;]+/)
      .filter(Boolean),
    ...(hook === '' ? {} : { webhook: { url: hook, format: text('format') } }),
  }
}
