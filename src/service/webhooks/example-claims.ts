/** What the sources of the example story said, as claims: read from its lines, the facilities found by their codes. */

import { absorbObservations } from '../../core/claims.ts'
import { parseJourneyLine } from '../../core/notation.ts'
import type { Claim, Observation, ObservedPlace } from '../../core/observation.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { allTerminals } from '../../reference/terminals.ts'
import { exampleId, exampleStory, type StoryLook } from './example-story.ts'

/** The claims that stand after a look. */
export function absorbLook(live: readonly Claim[], look: StoryLook): readonly Claim[] {
  const said = look.said.split('\n').flatMap((line) => {
    const parsed = parseJourneyLine(line, {
      timeZoneOf: (code) => findPlaceByCode(code)?.timeZone ?? null,
      equipment: exampleStory.box,
    })
    if (parsed.kind === 'error') throw new Error(`the example story: ${parsed.problem}: ${line}`)
    return parsed.kind === 'said' ? [parsed] : []
  })
  const bySource = Map.groupBy(said, ({ source }) => `${source.kind}:${source.code}`)
  return [...bySource].reduce((claims, [name, lines]) => {
    const [first] = lines
    if (first === undefined) return claims
    const { source } = first
    const observations = lines.map(({ observation }) => placed(observation))
    const { add, retire } = absorbObservations(claims, observations, {
      source,
      isFullPicture: false,
      missingBefore: [],
    })
    const added = add.map(
      (observation, index): Claim => ({
        id: exampleId(`claim ${look.at} ${name} ${index}`),
        source,
        observation,
        readAt: look.at,
        recordedAt: look.at,
        retiredAt: null,
      }),
    )
    return [...claims.filter(({ id }) => !retire.includes(id)), ...added]
  }, live)
}

/** The facility that the story names by its code, as a source's reader would have found it. */
function placed(observation: Observation): Observation {
  if (observation.kind === 'event') return { ...observation, place: inTerminal(observation.place) }
  return observation.fact === 'pod_terminal'
    ? { ...observation, value: inTerminal(observation.value) }
    : observation
}

function inTerminal(place: ObservedPlace): ObservedPlace {
  const code = place.facilityCode
  if (code === null) return place
  const terminal = allTerminals().find(
    ({ unlocode, smdgCode, firmsCode }) =>
      unlocode === place.unlocode && (smdgCode === code || firmsCode === code),
  )
  return { ...place, terminalId: terminal?.id ?? null }
}
