/** A page of several parts, one of them open, with links to pages elsewhere. The address names the open part. */

import { Link } from '@tanstack/react-router'
import { type ComponentType, Suspense } from 'react'
import { NotFound } from '../shell/not-found.tsx'
import { Reading } from './reading.tsx'
import './tabs.css'

interface TabbedPageProps {
  readonly title: string
  readonly to: '/developers/$part' | '/operate/$part' | '/charges/$part' | '/administration/$part'
  /** The part with an address of its own. */
  readonly home?: { readonly part: string; readonly to: '/charges' }
  readonly part: string
  readonly parts: Readonly<Record<string, ComponentType>>
  readonly labels: Readonly<Record<string, string>>
  readonly elsewhere: readonly (readonly [href: string, label: string])[]
}

export function TabbedPage({ title, to, home, part, parts, labels, elsewhere }: TabbedPageProps) {
  const Part = parts[part]
  return (
    <div>
      <h1>{title}</h1>
      <nav className="tabs" aria-label={title}>
        {Object.keys(parts).map((each) => (
          <Link
            key={each}
            activeOptions={{ exact: true }}
            {...(home?.part === each ? { to: home.to } : { to, params: { part: each } })}
            {...(each === part ? { 'aria-current': 'page' as const } : {})}
          >
            {labels[each]}
          </Link>
        ))}
        <span className="tabs-gap" />
        {elsewhere.map(([href, label]) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </nav>
      <Suspense fallback={<Reading />}>{Part === undefined ? <NotFound /> : <Part />}</Suspense>
    </div>
  )
}
