/** The page of a shipment in the portal, for people who follow a citation. */

import { linkTo } from '../../modules/derived-settings.ts'
import type { Config } from '../../platform/config.ts'

export function pageUrl(config: Config, shipmentId: string): string {
  return linkTo(config, `/shipments/${shipmentId}`)
}
