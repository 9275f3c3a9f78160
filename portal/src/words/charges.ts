/** Words of free time and charges. */
export const chargeWords = {
  title: 'Free time and charges',
  none: 'No terms are on record that fit this container. Add them to see what each day costs.',
  add: 'Terms and calendars',
  kinds: {
    demurrage: 'Demurrage',
    detention: 'Detention',
    storage: 'Storage',
    per_diem: 'Per diem',
    combined: 'Demurrage and detention',
  } as Readonly<Record<string, string>>,
  by: { line: 'line', terminal: 'terminal', railway: 'railway', chassis_pool: 'chassis pool' } as Readonly<
    Record<string, string>
  >,
  origins: { contract: 'contract', stated: 'stated by a notice', tariff: 'tariff' } as Readonly<
    Record<string, string>
  >,
  terms: (code: string, version: number): string => `${code}, version ${version}`,
  missing: {
    start: 'The clock has not started: nobody has told of its start.',
    zone: 'No day can be counted: the zone of the place is not known.',
    calendar: 'No day can be counted: the calendar of these terms is not on record.',
    hour_of_start:
      'No day can be counted: only the day of the start is known, and these terms need the hour.',
    working_day: 'No day can be counted: the calendar has no working day.',
  } as Readonly<Record<string, string>>,
  lastFreeDay: 'Last free day',
  calculated: 'calculated',
  reported: (of: string, source: string): string => `reported for the ${of} by ${source}`,
  differs: (calculated: string, reported: string): string =>
    `The last free day is ${calculated} by these terms, and ${reported} was reported.`,
  owed: 'Owed until today',
  forecast: (until: string): string => `Until ${until}`,
  avoidable: 'of it can still be avoided',
  nothing: 'nothing',
  unpriced: (days: number): string => `${days} charged days have no price on record`,
  unknown: (days: number): string => `${days} days are unknown`,
  days: 'Day by day',
  columns: ['Day', 'Counts as', 'Why', 'Amount'],
  outcomes: { free: 'free', charged: 'charged', not_counted: 'not counted', unknown: 'unknown' } as Readonly<
    Record<string, string>
  >,
  ahead: 'ahead',
  noPrice: 'no price',
} as const
