/** A map document as GeoJSON, as far as drawing it asks: its features by kind, with longitudes that run on past 180. */

export type Position = readonly [longitude: number, latitude: number]

interface Feature {
  readonly geometry:
    | { readonly type: 'Point'; readonly coordinates: Position }
    | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  readonly properties: Readonly<Record<string, unknown>>
}

export interface MapDocument {
  readonly features: readonly Feature[]
}

export interface Drawable {
  readonly type: string
  /** One position for a point; for a line its parts. */
  readonly parts: readonly (readonly Position[])[]
  readonly properties: Readonly<Record<string, unknown>>
}

/** With every longitude in the one turn of the globe that cuts nothing of the document. */
export function readDrawables(document: MapDocument): readonly Drawable[] {
  const drawables = document.features.map(({ geometry, properties }) => ({
    type: String(properties['feature_type']),
    parts: partsOf(geometry),
    properties,
  }))
  const start = startOfTurn(drawables.flatMap(({ parts }) => parts.flat()).map(([longitude]) => longitude))
  return drawables.map((drawable) => ({
    ...drawable,
    parts: drawable.parts.map((part) => {
      // A part never crosses the 180th meridian, so it is moved as a whole; at 180 itself it goes where its middle is.
      const middle = part.reduce((sum, [longitude]) => sum + longitude, 0) / part.length
      const shift = middle < start ? 360 : 0
      return part.map(([longitude, latitude]): Position => [longitude + shift, latitude])
    }),
  }))
}

function partsOf(geometry: Feature['geometry']): readonly (readonly Position[])[] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]]
    case 'LineString':
      return [geometry.coordinates]
  }
}

/** The turn begins behind the widest stretch of longitudes in which there is nothing. */
function startOfTurn(longitudes: readonly number[]): number {
  const sorted = [...new Set(longitudes)].toSorted((a, b) => a - b)
  let [start, widest] = [-180, 360 - ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0))]
  for (const [index, longitude] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && longitude - before > widest) [start, widest] = [longitude, longitude - before]
  }
  return start
}
