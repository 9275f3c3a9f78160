/**
 * The statements of the sources of the example story: read from the story's lines, with facilities found by their
 * codes.
 */

import { parseJourneyLine } from '../../domain/notation/notation.ts'
import type { Observation, ObservedPlace } from '../../domain/statements/observation.ts'
import type { ScenarioStatement } from '../../pipeline/ledger/scenario.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { allTerminals } from '../../reference/terminals.ts'
import { exampleStory, type StoryPoll } from './example-story.ts'

export function readStoryPoll(poll: StoryPoll): readonly ScenarioStatement[] {
  return poll.statements.split('\n').flatMap((line) => {
    const parsed = parseJourneyLine(line, {
      timeZoneOf: (code) => findPlaceByCode(code)?.timeZone ?? null,
      equipment: exampleStory.box,
    })
    if (parsed.kind === 'error') throw new Error(`the example story: ${parsed.problem}: ${line}`)
    return parsed.kind === 'said' ? [{ source: parsed.source, observation: withFacility(parsed.observation) }] : []
  })
}

/** Adds the facility that the story names by its code, as a source's reader would find it. */
function withFacility(observation: Observation): Observation {
  if (observation.kind === 'event') return { ...observation, place: addTerminalId(observation.place) }
  return observation.fact === 'pod_terminal' ? { ...observation, value: addTerminalId(observation.value) } : observation
}

function addTerminalId(place: ObservedPlace): ObservedPlace {
  const code = place.facilityCode
  if (code === null) return place
  const terminal = allTerminals().find(
    ({ unlocode, smdgCode, firmsCode }) => unlocode === place.unlocode && (smdgCode === code || firmsCode === code),
  )
  return { ...place, terminalId: terminal?.id ?? null }
}
