/** A shipment beside its list: the head of its page, and what is needed to pick up the container that was opened. */

import { Link } from '@tanstack/react-router'
import { Icon } from '../parts/icon.tsx'
import { useDialog } from '../parts/use-dialog.ts'
import { BoxFacts } from '../shipment/box-facts-part.tsx'
import { ReadShipment } from '../shipment/read-shipment.tsx'
import { useShipmentAddress } from '../shipment/use-shipment-address.ts'
import { listWords } from '../words/lists.ts'
import { words } from '../words/words.ts'

export function ShipmentSheet({ shipmentId, onClose }: { shipmentId: string; onClose: () => void }) {
  const dialog = useDialog()
  const { box: number } = useShipmentAddress()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the sheet closes it, as Escape does
    <dialog
      ref={dialog}
      className="sheet"
      aria-label={listWords.sheet}
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className="sheet-body">
        {/* The first to have the focus, so that Enter once more opens the page. */}
        <form method="dialog" className="sheet-bar">
          <Link to="/shipments/$shipmentId" params={{ shipmentId }} search={number === null ? {} : { box: number }}>
            {listWords.openPage}
          </Link>
          <button type="submit" className="bare" aria-label={words.close}>
            <Icon name="close" />
          </button>
        </form>
        <ReadShipment shipmentId={shipmentId}>
          {({ shipment: { attributes }, box }) =>
            number !== null && box !== null && attributes.status === 'arrived' && <BoxFacts boxId={box.id} />
          }
        </ReadShipment>
      </div>
    </dialog>
  )
}
