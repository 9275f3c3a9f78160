/** Search from everywhere: numbers and references of the account, and pages. Arrow keys choose, Enter opens. */

import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useState } from 'react'
import type { SearchResult } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { useDialog } from '../parts/use-dialog.ts'
import { requestStatusWords } from '../words/names.ts'
import { words } from '../words/words.ts'

interface Choice {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly to: string
}

const pages: readonly Choice[] = [
  { id: 'p-track', title: words.nav.track, about: '', to: '/track' },
  { id: 'p-shipments', title: words.nav.shipments, about: '', to: '/shipments' },
  { id: 'p-containers', title: words.nav.containers, about: '', to: '/containers' },
  { id: 'p-charges', title: words.nav.charges, about: '', to: '/charges' },
  { id: 'p-fleet', title: words.nav.fleet, about: '', to: '/fleet' },
  { id: 'p-attention', title: words.nav.attention, about: '', to: '/attention' },
  { id: 'p-documents', title: words.nav.documents, about: '', to: '/documents' },
  { id: 'p-developers', title: words.nav.developers, about: '', to: '/developers/webhooks' },
  { id: 'p-operate', title: words.nav.operate, about: '', to: '/operate/sources' },
  { id: 'p-administration', title: words.nav.administration, about: '', to: '/administration/keys' },
]
/** Shorter texts find too much to be of use. */
const charactersMin = 3
const foundMax = 8

export function SearchPalette({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const typed = useDeferredValue(text.trim())
  const found = useRead('/v2/search', {
    query: { query: typed },
    isOn: typed.length >= charactersMin,
    keepsLast: true,
  })
  const choices = choicesFor(typed, typed.length >= charactersMin ? (found.data?.data ?? []).slice(0, foundMax) : [])
  const chosen = Math.min(at, choices.length - 1)

  const open = (choice: Choice | undefined): void => {
    if (choice === undefined) return
    onClose()
    void navigate({ to: choice.to })
  }
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((chosen + step + choices.length) % Math.max(1, choices.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(choices[chosen])
    }
  }
  return (
    <dialog ref={dialog} className="palette" aria-label={words.search.title} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label={words.search.title}
        aria-expanded="true"
        aria-controls="palette-choices"
        aria-activedescendant={choices[chosen] === undefined ? undefined : `c-${choices[chosen].id}`}
        placeholder={words.search.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id="palette-choices" role="listbox" aria-label={words.search.found}>
        {choices.map((choice, index) => (
          <div
            key={choice.id}
            id={`c-${choice.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => open(choice)}
            onKeyDown={press}
          >
            <span className="number">{choice.title}</span> <span className="quiet">{choice.about}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className="quiet">{words.search.none}</p>}
    </dialog>
  )
}

function choicesFor(typed: string, found: readonly SearchResult[]): readonly Choice[] {
  const lower = typed.toLowerCase()
  const fitting = pages.filter(({ title }) => title.toLowerCase().includes(lower))
  const results = found.map(choiceOf)
  const looksLikeNumber = /^[A-Za-z0-9 /-]{6,}$/.test(typed) && /\d/.test(typed)
  const track: readonly Choice[] = looksLikeNumber
    ? [
        {
          id: 'track',
          title: words.search.track(typed),
          about: '',
          to: `/track?numbers=${encodeURIComponent(typed)}`,
        },
      ]
    : []
  return [...results, ...fitting, ...track]
}

function choiceOf({ id, attributes }: SearchResult): Choice {
  const { number = '', shipment_id: shipmentId, scac, status, entity_type: kind } = attributes
  const route = [attributes.port_of_lading_name, attributes.port_of_discharge_name].filter(Boolean).join(' – ')
  const about = [scac, route || (kind === 'tracking_request' ? requestStatusWords(status)[0] : '')]
  const to = shipmentId ? `/shipments/${shipmentId}` : `/track?numbers=${encodeURIComponent(number)}`
  return { id, title: number, about: about.filter(Boolean).join(' · '), to }
}
