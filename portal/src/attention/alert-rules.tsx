/** Rules: who is told of which exceptions, by mail or in a channel, at once or once a day. */

import { type FormEvent, useState } from 'react'
import type { AlertRule } from '../../../sdk/typescript/src/description.generated.ts'
import { type Fault, Refusal } from '../api/connection.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { attentionWords as words } from '../words/attention.ts'
import { faultAt, RuleField } from './rule-field.tsx'
import { RuleReceivers, readRuleReceivers } from './rule-receivers.tsx'
import { RuleConditions, RuleShipments, readRuleShipments, useRuleFields } from './rule-shipments.tsx'

export function AlertRules() {
  const found = useRead('/v2/alert_rules')
  const me = useRead('/v2/me')
  const mail = me.data?.data.attributes.features.email_alerts.status
  // What comes later would move what is there.
  if (found.isPending || me.isPending) return null
  return (
    <Panel title={words.rules}>
      <p className="quiet">{mail === 'available' ? words.rulesAbout : words.rulesAboutNoMail}</p>
      {mail === 'not_enabled' && <p className="note">{words.noMail}</p>}
      <NewRule hasMail={mail === 'available'} />
      {found.error !== null && <p className="fault">{found.error.message}</p>}
      {found.data?.data.length === 0 && <p>{words.rulesNone}</p>}
      <ul className="plain-list">
        {found.data?.data.map((rule) => (
          <Rule key={rule.id} rule={rule} />
        ))}
      </ul>
    </Panel>
  )
}

function Rule({ rule }: { rule: AlertRule }) {
  const connection = useConnection()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const { name = '', reasons = [], emails = [], webhook, delivery = '', shipments } = rule.attributes
  const path = `/v2/alert_rules/${rule.id}`
  const unconfirmed = rule.meta?.unconfirmed_emails ?? []
  return (
    <li className="rule">
      <strong>{name}</strong> <span className="quiet">{words.deliveries[delivery]}</span>
      <span className="under">{reasons.map((reason) => words.reasons[reason] ?? reason).join(', ')}</span>
      {shipments && <RuleConditions wanted={shipments} />}
      <span className="under">
        {[...emails, ...(webhook ? [`${words.formats[webhook.format] ?? ''} ${webhook.url}`] : [])].join(', ')}
      </span>
      {unconfirmed.length > 0 && (
        <span className="under soon">
          {words.unconfirmed(unconfirmed.join(', '))} <a href="/account#address">{words.confirmOwn}</a>
        </span>
      )}
      {rule.meta?.last_error && <span className="under late">{words.failed(rule.meta.last_error)}</span>}
      <p className="buttons">
        <button type="button" onClick={() => void act(() => connection.ask('POST', `${path}/test`), words.tested)}>
          {words.test}
          <span className="unseen">: {name}</span>
        </button>
        <button type="button" className="danger" onClick={() => setAsking(true)}>
          {words.remove}
          <span className="unseen">: {name}</span>
        </button>
      </p>
      {isAsking && (
        <Confirm
          title={words.removeAsk(name)}
          about={words.removeAbout}
          yes={words.remove}
          onYes={() => void act(() => connection.ask('DELETE', path), words.remove)}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

function NewRule({ hasMail }: { hasMail: boolean }) {
  const connection = useConnection()
  const act = useAct()
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [delivery, setDelivery] = useState('immediately')
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState(0)
  const fields = useRuleFields(isOpen)
  const make = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const element = event.currentTarget
    const form = new FormData(element)
    const text = (field: string): string => String(form.get(field) ?? '').trim()
    const attributes = {
      name: text('name'),
      reasons: form.getAll('reason'),
      shipments: readRuleShipments(form, fields.definitions),
      ...readRuleReceivers(form),
      delivery,
      ...(delivery === 'daily'
        ? { daily_hour: Number(text('hour')), time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
        : {}),
    }
    const data = { type: 'alert_rule', attributes }
    setFaults([])
    const send = () =>
      connection.ask('POST', '/v2/alert_rules', { data }).catch((error: unknown) => {
        if (error instanceof Refusal) setFaults(error.faults)
        throw error
      })
    if (!(await act(send, words.made))) return
    element.reset()
    setMade(made + 1)
  }
  return (
    <details className="new-rule" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.new}</summary>
      <form className="stack" onSubmit={(event) => void make(event)}>
        <RuleReceivers key={`receivers ${made}`} hasMail={hasMail} faults={faults} />
        <RuleField faults={faults} at="name" label={words.name} name="name" required maxLength={100} />
        <fieldset>
          <legend>{words.which}</legend>
          {Object.entries(words.reasons).map(([value, label]) => (
            <label key={value} className="check">
              <input type="checkbox" name="reason" value={value} /> {label}
            </label>
          ))}
          {faultAt(faults, 'reasons') !== null && (
            <p className="fault" role="alert">
              {words.whichNone}
            </p>
          )}
        </fieldset>
        {isOpen && <RuleShipments key={made} fields={fields} faults={faults} />}
        <label className="field">
          <span>{words.delivery}</span>
          <select value={delivery} onChange={(event) => setDelivery(event.target.value)}>
            {Object.entries(words.deliveries).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {delivery === 'daily' && (
          <RuleField
            faults={faults}
            at="daily_hour"
            label={words.hour}
            name="hour"
            type="number"
            min={0}
            max={23}
            defaultValue={8}
          />
        )}
        <button type="submit" className="primary">
          {words.make}
        </button>
      </form>
    </details>
  )
}
