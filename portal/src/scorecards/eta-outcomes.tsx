/** The estimates of which one figure is made, with their shipments. */

import { Link } from '@tanstack/react-router'
import type { EtaOutcome, EtaScore } from '../../../sdk/typescript/src/description.generated.ts'
import { useAsk } from '../api/queries.ts'
import { Table } from '../operate/table.tsx'
import { Moment } from '../parts/moment.tsx'
import { sourceWords } from '../words/names.ts'
import { scorecardWords as words } from '../words/scorecards.ts'
import { hours } from './eta-figures.ts'

interface Page {
  readonly data: readonly EtaOutcome[]
  readonly included?: readonly {
    readonly id: string
    readonly attributes: { readonly bill_of_lading_number?: string | null }
  }[]
  readonly meta: { readonly total: number }
}

export function EtaOutcomes({ of }: { of: EtaScore }) {
  const path = of.attributes.outcomes_path
  const found = useAsk<Page>(`${path}&include=shipment&page[size]=50`, { isOn: Boolean(path) })
  const page = found.data
  if (page === undefined) return <p className="quiet">{found.error?.message}</p>
  const numbers = new Map(
    page.included?.map(({ id, attributes }) => [id, attributes.bill_of_lading_number ?? null] as const),
  )
  return (
    <>
      <h3>{words.outcomes}</h3>
      <Table label={words.outcomes} columns={words.outcomeColumns}>
        {page.data.map(({ id, attributes, relationships }) => {
          const shipmentId = relationships?.shipment?.data?.id ?? ''
          return (
            <tr key={id}>
              <td>
                <Link to="/shipments/$shipmentId" params={{ shipmentId }}>
                  {numbers.get(shipmentId) ?? shipmentId.slice(0, 8)}
                </Link>
              </td>
              <td>{attributes.source_code}</td>
              <td>
                <Moment at={attributes.told_at} zone="UTC" />
              </td>
              <td>{hours(attributes.days_ahead)}</td>
              <td>
                <Moment at={attributes.arrived_at} zone="UTC" />
              </td>
              <td>{sourceWords(attributes.arrival_reported_by)}</td>
              <td>{hours(attributes.error_hours)}</td>
            </tr>
          )
        })}
      </Table>
      {page.meta.total > page.data.length && <p className="quiet">{words.more(page.data.length, page.meta.total)}</p>}
    </>
  )
}
