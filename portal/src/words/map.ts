/** Words of the maps. */

interface Named {
  readonly properties: { readonly name?: string; readonly vessel_name?: string }
}

export const mapWords = {
  nothing: 'No port of this journey is known yet.',
  past: 'sailed',
  planned: 'planned way',
  ship: (name: string, at: string, isReckoned: boolean): string =>
    `${name}, ${isReckoned ? 'reckoned for' : 'heard'} ${at}`,
  about: (ports: readonly Named[], vessels: readonly Named[]): string => {
    const way = ports.map(({ properties }) => properties.name).join(', ')
    const ships = vessels.map(({ properties }) => properties.vessel_name).join(', ')
    return `Map of the journey: ${way}${ships === '' ? '' : `; ship: ${ships}`}`
  },
} as const
