/** Words of the scorecards. */
export const scorecardWords = {
  title: 'Estimates',
  about:
    'How good the estimates of the arrival at the port of discharge were, of shipments that have arrived. Each estimate counts as it was when it was received.',
  none: 'No shipment with an estimate has arrived.',
  kind: 'Estimate of',
  kinds: {
    line: 'the line',
    first: 'the line, its first',
    terminal: 'the terminal',
    own: 'Landfall',
    vessel: 'the ship’s positions alone',
  } as Readonly<Record<string, string>>,
  by: 'For each',
  groups: { line: 'line', lane: 'pair of ports', countries: 'pair of countries', none: 'all together' } as Readonly<
    Record<string, string>
  >,
  all: 'All',
  days: (min: number, max: number | null): string => (max === null ? `${min} or more` : `${min} to ${max}`),
  curve: 'Mean error in hours, by days ahead',
  curveAbout: (drawn: number): string => `The curves are of the ${drawn} groups with the most estimates.`,
  columns: [
    'Group',
    'Days ahead',
    'Estimates',
    'Mean error, h',
    'Median error, h',
    'Later than told, h',
    'Within a day',
    'Range held',
    'Moved',
    'By, h',
  ],
  shipments: (count: number, group: string, days: string): string =>
    `Shipments of the ${count} estimates: ${group}, ${days} days ahead`,
  outcomes: 'Estimates of this figure',
  outcomeColumns: ['Shipment', 'Source', 'Received', 'Days ahead', 'Arrived', 'Reported by', 'Error, h'],
  more: (shown: number, all: number): string => `${shown} of ${all} are shown.`,
}
