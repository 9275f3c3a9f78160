/** The containers of a shipment, one of them open. */

import { Link } from '@tanstack/react-router'
import type { Container } from '../../../sdk/typescript/src/description.generated.ts'
import { Badge } from '../parts/badge.tsx'
import { FreeTime } from '../parts/box-facts.tsx'
import { statusWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { useShipmentAddress } from './use-shipment-address.ts'

export function BoxChoice({ boxes, current }: { boxes: readonly Container[]; current: Container | null }) {
  const { asOf } = useShipmentAddress()
  if (boxes.length === 0) return <p className="quiet">{words.containersNone}</p>
  return (
    <nav className="box-choice" aria-label={words.containers(boxes.length)}>
      <h2>{words.containers(boxes.length)}</h2>
      <ul>
        {boxes.map((box) => (
          <li key={box.id}>
            <Link
              to="."
              search={{ box: box.attributes.number ?? '', ...(asOf === null ? {} : { as_of: asOf }) }}
              resetScroll={false}
              {...(box.id === current?.id ? { 'aria-current': 'true' as const } : {})}
            >
              <span className="number">{box.attributes.number}</span>
              <Badge said={statusWords(box.attributes.current_status)} />
              {box.attributes.free_until && <FreeTime box={box.attributes} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
