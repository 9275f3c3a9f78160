import type { ReactNode } from 'react'

/** A titled part of a page. */
export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
