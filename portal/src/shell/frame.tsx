/** What surrounds every page: the ways to go, the search, the theme, and the stream of news. */

import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { forgetKey, readVisitor } from '../api/credentials.ts'
import { followNews } from '../api/news.ts'
import { useConnection } from '../api/queries.ts'
import { Icon } from '../parts/icon.tsx'
import { SaidLine } from '../parts/said-line.tsx'
import { TimesOf } from '../parts/time.ts'
import { usePhone } from '../parts/use-phone.ts'
import { words } from '../words/words.ts'
import { PausedLine } from './paused-line.tsx'
import { PhoneWays } from './phone-ways.tsx'
import { SearchPalette } from './search-palette.tsx'
import { ThemeOf } from './theme.ts'
import { type Way, WayList, type WaysProps } from './ways.tsx'

const ways: readonly Way[] = [
  { to: '/', label: words.nav.overview, icon: 'overview' },
  { to: '/attention', label: words.nav.attention, icon: 'attention' },
  { to: '/track', label: words.nav.track, icon: 'track' },
  { to: '/shipments', label: words.nav.shipments, icon: 'shipments' },
  { to: '/containers', label: words.nav.containers, icon: 'containers' },
  { to: '/charges', label: words.nav.charges, icon: 'charges' },
  { to: '/fleet', label: words.nav.fleet, icon: 'fleet' },
  { to: '/documents', label: words.nav.documents, icon: 'documents' },
  { to: '/developers/webhooks', label: words.nav.developers, icon: 'developers' },
  { to: '/operate/sources', label: words.nav.operate, icon: 'operate' },
  { to: '/administration/keys', label: words.nav.administration, icon: 'account' },
]

export function Frame() {
  useNews()
  const [isSearching, setSearching] = useState(false)
  useSearchKey(() => setSearching(true))
  const [isReader, setReader] = useState(TimesOf.isReader)
  const isPhone = usePhone()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <SaidLine>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          {words.product}
        </Link>
        <button type="button" className="search-open" onClick={() => setSearching(true)}>
          <Icon name="search" />
          <span>{words.search.open}</span>
          <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <button
          type="button"
          className="bare times"
          title={isReader ? words.times.toPlace : words.times.toReader}
          onClick={() => {
            TimesOf.change()
            setReader(TimesOf.isReader())
          }}
        >
          <Icon name="charges" />
          <span>{isReader ? words.times.reader : words.times.place}</span>
        </button>
        <button type="button" className="bare" aria-label={words.nav.theme} onClick={ThemeOf.change}>
          <Icon name="theme" />
        </button>
        <Who />
      </header>
      {isPhone ? <PhoneWays ways={ways} path={path} /> : <Ways ways={ways} path={path} />}
      <main id="content" tabIndex={-1}>
        <PausedLine />
        {/* Drawn anew when times are to be shown in the other zone. */}
        <Outlet key={String(isReader)} />
      </main>
      {isSearching && <SearchPalette onClose={() => setSearching(false)} />}
    </SaidLine>
  )
}

function Ways({ ways, path }: WaysProps) {
  return (
    <nav className="ways" aria-label={words.nav.label}>
      <WayList ways={ways} path={path} />
    </nav>
  )
}

const isMac = navigator.userAgent.includes('Mac')

function Who() {
  const { credentials } = useConnection()
  const visitor = readVisitor()
  if (credentials.kind === 'key')
    return (
      <button
        type="button"
        className="bare who"
        onClick={() => {
          forgetKey()
          location.reload()
        }}
      >
        {words.key.forget} <code>{`${credentials.key.slice(0, 8)}…${credentials.key.slice(-4)}`}</code>
      </button>
    )
  return (
    <a className="who" href="/account">
      <Icon name="account" />
      <span>
        {visitor?.name} <small>{visitor?.company}</small>
      </span>
    </a>
  )
}

/** Reads what is shown again when something has happened; in a hidden tab when it is shown again. */
function useNews(): void {
  const connection = useConnection()
  const queries = useQueryClient()
  useEffect(() => {
    let isBehind = false
    const heard = (): void => {
      isBehind = document.hidden
      if (!isBehind) void queries.invalidateQueries()
    }
    const seen = (): void => {
      if (isBehind && !document.hidden) heard()
    }
    document.addEventListener('visibilitychange', seen)
    const end = followNews(connection, heard)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      end()
    }
  }, [connection, queries])
}

function useSearchKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
