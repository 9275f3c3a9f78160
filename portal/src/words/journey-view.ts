/** Words of the view that clients of the MCP server show. */
export const journeyViewWords = {
  reading: 'Waiting for the answer …',
  cancelled: 'The question was withdrawn.',
  none: 'This answer has no journey to show. Its text says why.',
  noNumber: 'Number not known',
  ships: 'Ships',
  unknownTitle: 'Not known',
  noMilestones: 'No source has told of a milestone yet.',
  milestonesOf: (number: string): string => `Milestones of ${number}`,
  columns: ['Milestone', 'Place', 'Planned', 'Estimated', 'Actual'],
  unknown: 'not known',
  notReported: 'not reported',
  voyage: 'voyage',
  zoneUnknown: 'zone unknown',
  more: (count: number): string => `${count} more containers are in the text of the answer.`,
} as const
