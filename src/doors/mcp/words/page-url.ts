/** The page of a shipment in the portal, for people who follow a citation. */

import type { Config } from '../../../platform/config.ts'
import { linkTo } from '../../../service/ground/choices.ts'

export function pageUrl(config: Config, shipmentId: string): string {
  return linkTo(config, `/shipments/${shipmentId}`)
}
