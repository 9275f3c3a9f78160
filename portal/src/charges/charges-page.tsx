/** Free time and what comes after it: the clocks of all containers, the terms that they count by, and the calendars. */

import { useParams } from '@tanstack/react-router'
import { TabbedPage } from '../parts/tabbed-page.tsx'
import { chargeWords as words } from '../words/charges.ts'
import { CalendarsPart } from './calendars-part.tsx'
import { ClocksPart } from './clocks-part.tsx'
import { InvoicesPart } from './invoices-part.tsx'
import { TermsPart } from './terms-part.tsx'

const parts: Readonly<Record<string, React.ComponentType>> = {
  clocks: ClocksPart,
  terms: TermsPart,
  calendars: CalendarsPart,
  invoices: InvoicesPart,
}

export function ChargesPage() {
  const { part = 'clocks' } = useParams({ strict: false })
  return (
    <TabbedPage
      title={words.page}
      to="/charges/$part"
      home={{ part: 'clocks', to: '/charges' }}
      part={part}
      parts={parts}
      labels={words.parts}
      elsewhere={[]}
    />
  )
}
