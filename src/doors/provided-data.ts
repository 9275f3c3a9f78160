/** `provided_data` of a shipping line: what it tells here, which is what our ways in bring less what the line leaves out. */

import type { LineOfAccount } from '../service/knowing/shipping-lines/list-shipping-lines.ts'

/** A boolean by name, and `<name>_notes` where there is more to say. Of a line without a way in nothing is told. */
export function writeProvidedData({
  line: { dataGaps: gaps },
  tells,
  ability,
  heardBy,
}: LineOfAccount): Readonly<Record<string, boolean | string>> {
  const isReached = ability !== null || heardBy.length > 0
  const types = gaps.equipmentTypesMapped
  const hasWeight = tells.weight && !gaps.noWeight
  const hasType = tells.equipmentType && !gaps.noEquipmentType
  const hasMoves = tells.departuresAndArrivals && !gaps.noDeparturesArrivals
  const hasTime = tells.timeOfDay && !gaps.datesOnly
  return {
    weight_in_lbs: hasWeight,
    ...(hasWeight &&
      gaps.averageWeight && {
        weight_in_lbs_notes: 'With several containers on a bill, the gross weight divided by their number.',
      }),
    seal_number: tells.sealNumber && !gaps.noSeal,
    equipment_type: hasType,
    ...(hasType && types !== null && { equipment_type_notes: `Only ${types.join(', ')}.` }),
    departures_and_arrivals: hasMoves,
    ...(hasMoves &&
      gaps.departuresArrivalsNotAlways && {
        departures_and_arrivals_notes: 'Not always, depending on when the bill of lading is entered.',
      }),
    time_of_day: hasTime,
    ...(isReached &&
      !hasTime && {
        time_of_day_notes: 'Dates only: midnight at the place when it is known, else midnight UTC.',
      }),
  }
}
