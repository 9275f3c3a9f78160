/** Words of the shared page and of the widget. */
export const widgetWords = {
  reading: 'Reading …',
  gone: 'This link does not show anything. It may have expired or been withdrawn.',
  failed: (status: number): string => `The data could not be read (${status}).`,
  notAllowed: 'The data could not be read. This site may not be among the origins of the link or key.',
  arrival: 'Arrival',
  estimated: 'estimated',
  planned: 'planned',
  unknown: 'not known',
  voyage: 'voyage',
  containers: 'Containers',
  lastFreeDay: 'Last free day',
  available: { true: 'can be picked up', false: 'cannot be picked up yet' } as Readonly<
    Record<string, string>
  >,
  journey: 'Journey',
  more: 'More is tracked than is shown here.',
  until: 'This link is good until',
  by: 'Tracked with Landfall',
  zoneUnknown: 'zone unknown',
} as const
