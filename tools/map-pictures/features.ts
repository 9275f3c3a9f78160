/** Reads the parts of a map document (GeoJSON) that drawing needs: features by type. Longitudes continue beyond 180. */

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
  /** A point has one position. A line has several parts. */
  readonly parts: readonly (readonly Position[])[]
  readonly properties: Readonly<Record<string, unknown>>
}

/** Moves all longitudes into one turn of the globe that cuts no feature of the document. */
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
      // A part never crosses the 180th meridian, so it is moved as a whole. The middle of the part decides, because an
      // end may lie exactly at 180.
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

/** The turn begins after the widest range of longitudes without any position. */
function startOfTurn(longitudes: readonly number[]): number {
  const sorted = [...new Set(longitudes)].toSorted((a, b) => a - b)
  let [start, widest] = [-180, 360 - ((sorted.at(-1) ?? 0) - (sorted[0] ?? 0))]
  for (const [index, longitude] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && longitude - before > widest) [start, widest] = [longitude, longitude - before]
  }
  return start
}
