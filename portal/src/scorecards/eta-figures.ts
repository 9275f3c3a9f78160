import type { EtaScore } from '../../../sdk/typescript/src/description.generated.ts'
import { scorecardWords as words } from '../words/scorecards.ts'

const unknown = '–'

export const hours = (value: number | null | undefined): string => value?.toFixed(1) ?? unknown
export const share = (value: number | null | undefined): string =>
  value === null || value === undefined ? unknown : `${Math.round(value * 100)} %`

/** What the figures of a row are of: a line, a lane, or all. */
export function groupOf({ attributes: of }: EtaScore): string {
  const pairs = [
    [of.port_of_lading_locode, of.port_of_discharge_locode],
    [of.lading_country, of.discharge_country],
  ]
  const lane = pairs.find(([, to]) => to)
  const names = [of.shipping_line_scac, lane && `${lane[0] ?? unknown} → ${lane[1]}`]
  return names.filter(Boolean).join(' ') || words.all
}
