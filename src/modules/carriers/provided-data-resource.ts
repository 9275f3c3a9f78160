/**
 * `provided_data` of a shipping line: which data we get from it here. That is what our channels can carry, without what
 * the line itself omits.
 */

import type { LineOfAccount } from './list-shipping-lines.ts'

/**
 * A boolean for each kind of data, and `<name>_notes` where a remark is necessary. Without a channel, every value is
 * false.
 */
export function writeProvidedData({
  line: { dataGaps: gaps },
  provides,
  ability,
  messageNumberKinds: ingestedBy,
}: LineOfAccount): Readonly<Record<string, boolean | string>> {
  const isReached = ability !== null || ingestedBy.length > 0
  const types = gaps.equipmentTypesMapped
  const hasWeight = provides.weight && !gaps.noWeight
  const hasType = provides.equipmentType && !gaps.noEquipmentType
  const hasMoves = provides.departuresAndArrivals && !gaps.noDeparturesArrivals
  const hasTime = provides.timeOfDay && !gaps.datesOnly
  return {
    weight_in_lbs: hasWeight,
    ...(hasWeight &&
      gaps.averageWeight && {
        weight_in_lbs_notes: 'With several containers on a bill, the gross weight divided by their number.',
      }),
    seal_number: provides.sealNumber && !gaps.noSeal,
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
