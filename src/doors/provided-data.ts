/** `provided_data` of a shipping line: what it tells here, which is what our access brings less what the line leaves out. */

import type { LineOfAccount } from '../service/shipping-lines/list-shipping-lines.ts'

/** A boolean by name, and `<name>_notes` where there is more to say. Without access to the line nothing is told. */
export function writeProvidedData({
  line: { dataGaps: gaps },
  ability,
}: LineOfAccount): Readonly<Record<string, boolean | string>> {
  const tells = ability?.tells ?? null
  const types = gaps.equipmentTypesMapped
  const hasWeight = tells?.weight === true && !gaps.noWeight
  const hasType = tells?.equipmentType === true && !gaps.noEquipmentType
  const hasMoves = tells?.departuresAndArrivals === true && !gaps.noDeparturesArrivals
  const hasTime = tells?.timeOfDay === true && !gaps.datesOnly
  return {
    weight_in_lbs: hasWeight,
    ...(hasWeight &&
      gaps.averageWeight && {
        weight_in_lbs_notes: 'With several containers on a bill, the gross weight divided by their number.',
      }),
    seal_number: tells?.sealNumber === true && !gaps.noSeal,
    equipment_type: hasType,
    ...(hasType && types !== null && { equipment_type_notes: `Only ${types.join(', ')}.` }),
    departures_and_arrivals: hasMoves,
    ...(hasMoves &&
      gaps.departuresArrivalsNotAlways && {
        departures_and_arrivals_notes: 'Not always, depending on when the bill of lading is entered.',
      }),
    time_of_day: hasTime,
    ...(tells !== null &&
      !hasTime && {
        time_of_day_notes: 'Dates only: midnight at the place when it is known, else midnight UTC.',
      }),
  }
}
