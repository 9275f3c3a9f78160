/** Words of the map of the fleet. */
export const fleetWords = {
  title: 'Fleet map',
  about: 'All ships with your containers on board, and the containers ashore, where they were last known to be.',
  none: 'No container is under way that can be placed on the map.',
  unplaced: (count: number): string =>
    `Of ${count} containers nobody has named a ship or a place. They are not on the map.`,
  loading: 'Loading the map …',
  ships: 'Ships',
  ashore: 'Ashore',
  boxes: (count: number): string => `${count} ${count === 1 ? 'container' : 'containers'}`,
  positions: {
    heard: 'position heard by radio',
    reckoned: 'position reckoned along the way',
    port: 'last known at the port that it left',
  } as Readonly<Record<string, string>>,
  next: 'next port',
  more: (count: number): string => `and ${count} more`,
  freeUntil: 'first last free day:',
  noMap: 'The map cannot be drawn in this browser. The list below has the same.',
} as const
