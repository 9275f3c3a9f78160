/** What can be done with an entry, in its place. */

import type { FormEvent } from 'react'
import type { AttentionEntry, Member } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { isoDayIn, todayIn } from '../parts/time.ts'
import { useAct } from '../parts/use-act.ts'
import { attentionWords } from '../words/attention.ts'
import { DropDown } from './drop-down.tsx'

const words = attentionWords.act

interface ActionProps {
  readonly entry: AttentionEntry
  /** Null where they may not be read: with a key. */
  readonly members: readonly Member[] | null
}

export function EntryActions({ entry, members }: ActionProps) {
  const change = useChange(entry.id)
  const { state, version, number = '' } = entry.attributes
  const requestId = entry.relationships?.tracking_request?.data?.id
  const boxId = entry.relationships?.container?.data?.id
  if (state !== 'open')
    return (
      <div className="entry-actions">
        <button type="button" onClick={() => void change({ state: 'open' }, words.opened)}>
          {words.open}
        </button>
      </div>
    )
  return (
    <div className="entry-actions">
      {requestId !== undefined && <Correct id={requestId} number={number} />}
      {boxId !== undefined && <PickedUp id={boxId} />}
      {members !== null && <Assign entry={entry} members={members} />}
      <Later onChoose={(until) => change({ snoozed_until: until }, words.later)} />
      <button
        type="button"
        className="entry-done"
        onClick={() => void change({ state: 'done', version }, words.done(number))}
      >
        {words.isDone}
      </button>
    </div>
  )
}

function useChange(id: string): (attributes: object, said: string) => Promise<boolean> {
  const connection = useConnection()
  const act = useAct()
  return (attributes, said) =>
    act(
      () =>
        connection.ask('PATCH', `/v2/attention_entries/${id}`, { data: { type: 'attention_entry', id, attributes } }),
      said,
    )
}

function Assign({ entry, members }: { entry: AttentionEntry; members: readonly Member[] }) {
  const change = useChange(entry.id)
  const assigned = members.find(({ id }) => id === entry.attributes.assigned_to_id)
  return (
    <DropDown label={assigned === undefined ? words.assign : nameOf(assigned)}>
      {(close) => (
        <ul className="plain-list">
          {[...members, null].map((member) => (
            <li key={member?.id ?? ''}>
              <button
                type="button"
                className="bare"
                aria-pressed={member === (assigned ?? null)}
                onClick={() => {
                  close()
                  void change({ assigned_to_id: member?.id ?? null }, words.assigned(member && nameOf(member)))
                }}
              >
                {member === null ? words.nobody : nameOf(member)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </DropDown>
  )
}

export function nameOf({ attributes: { name, email = '' } }: Member): string {
  return name || email
}

const days = [1, 3, 7] as const

function Later({ onChoose }: { onChoose: (until: string) => Promise<boolean> }) {
  const today = isoDayIn(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone)
  return (
    <DropDown label={words.laterOpen}>
      {(close) => {
        const choose = (at: Date): void => {
          close()
          void onChoose(at.toISOString())
        }
        return (
          <>
            <ul className="plain-list">
              {days.map((count) => (
                <li key={count}>
                  <button type="button" className="bare" onClick={() => choose(morningIn(count))}>
                    {words.laterDays(count)}
                  </button>
                </li>
              ))}
            </ul>
            <DayForm
              label={words.laterUntil}
              min={today}
              go={words.laterGo}
              onDay={(day) => choose(new Date(`${day}T08:00`))}
            />
          </>
        )
      }}
    </DropDown>
  )
}

/** Eight in the morning of the reader. */
function morningIn(count: number): Date {
  const at = new Date()
  at.setDate(at.getDate() + count)
  at.setHours(8, 0, 0, 0)
  return at
}

interface DayFormProps {
  readonly label: string
  readonly go: string
  readonly min?: string
  readonly max?: string
  readonly value?: string
  readonly onDay: (day: string) => void
}

function DayForm({ label, go, onDay, min, max, value }: DayFormProps) {
  return (
    <form
      className="drop-form"
      onSubmit={(event) => {
        event.preventDefault()
        onDay(fieldOf(event, 'day'))
      }}
    >
      <label className="field">
        <span>{label}</span>
        <input type="date" name="day" required min={min} max={max} defaultValue={value} />
      </label>
      <button type="submit" className="primary">
        {go}
      </button>
    </form>
  )
}

/** States the day under the name of the reader. */
function PickedUp({ id }: { id: string }) {
  const connection = useConnection()
  const act = useAct()
  const today = todayIn(null)
  return (
    <DropDown label={words.pickedUp}>
      {(close) => (
        <DayForm
          label={words.pickedUpOn}
          go={words.pickedUpGo}
          value={today}
          onDay={(value) => {
            const attributes = { says: 'picked_up', value, reason: null }
            const body = { data: { type: 'statement', attributes } }
            void act(() => connection.ask('POST', `/v2/containers/${id}/statements`, body), words.pickedUpSaid).then(
              (isDone) => isDone && close(),
            )
          }}
        />
      )}
    </DropDown>
  )
}

/** The same request with another line or number. */
function Correct({ id, number }: { id: string; number: string }) {
  const connection = useConnection()
  const act = useAct()
  const lines = useRead('/v2/shipping_lines')
  const correct = (event: FormEvent<HTMLFormElement>, close: () => void): void => {
    event.preventDefault()
    const [right, scac] = [fieldOf(event, 'number'), fieldOf(event, 'scac')]
    const attributes = { ...(right !== number && { request_number: right }), ...(scac !== '' && { scac }) }
    const body = { data: { type: 'tracking_request', attributes } }
    void act(() => connection.ask('POST', `/v2/tracking_requests/${id}/correct`, body), words.corrected).then(
      (isDone) => isDone && close(),
    )
  }
  return (
    <DropDown label={words.correct}>
      {(close) => (
        <form className="drop-form" onSubmit={(event) => correct(event, close)}>
          <label className="field">
            <span>{words.number}</span>
            <input name="number" required maxLength={40} defaultValue={number} autoComplete="off" spellCheck={false} />
          </label>
          <label className="field">
            <span>{words.line}</span>
            <select name="scac">
              <option value="">{words.sameLine}</option>
              {(lines.data?.data ?? []).map(({ attributes: { scac, name } }) => (
                <option key={scac} value={scac}>{`${name} (${scac})`}</option>
              ))}
            </select>
          </label>
          <button type="submit" className="primary">
            {words.correctGo}
          </button>
        </form>
      )}
    </DropDown>
  )
}

function fieldOf({ currentTarget }: FormEvent<HTMLFormElement>, name: string): string {
  return String(new FormData(currentTarget).get(name) ?? '').trim()
}
