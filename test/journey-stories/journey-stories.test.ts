/** Every golden story: what was read, which events subscribers get and must not get, and how things stand then. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { diffShipment } from '../../src/domain/changes/diff-shipment.ts'
import type { ShipmentProjection } from '../../src/domain/view/projection.ts'
import { defaultProjectionRules } from '../../src/domain/view/projection-rules.ts'
import { parseStory } from '../support/story.ts'
import { Telling } from '../support/telling.ts'

const folder = new URL('.', import.meta.url)
const stories = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .toSorted()

describe('golden stories', () => {
  for (const name of stories) {
    test(`the story "${name.replaceAll('-', ' ')}" sends the expected events and gives the expected state`, () => {
      const story = parseStory(readFileSync(new URL(`${name}/story.txt`, folder), 'utf8'))
      const telling = new Telling(story)
      for (const look of story.looks) {
        const heard = telling.look(look)
        const when = `${name} at ${look.at}`
        assert.deepEqual(heard, look.hears, `${when}: what subscribers hear`)
        for (const unheard of look.not) {
          assert.ok(!heard.some((line) => line.startsWith(unheard)), `${when}: nobody may hear ${unheard}`)
        }
        for (const line of look.stands) assert.equal(telling.state(line), line, `${when}: then`)
        if (telling.projection === null) continue
        const reversed = telling.project(telling.liveClaims.toReversed(), look.at, telling.projection)
        assert.deepEqual(reversed, merged(telling.projection), `${when}: the same told backwards once more`)
        assert.deepEqual(diffShipment(telling.projection, reversed, defaultProjectionRules), [])
      }
    })
  }
})

/**
 * The part of a projection that the merge makes of the claims. When a source last spoke of a box is added by the fold.
 */
function merged(projection: ShipmentProjection): unknown {
  const boxes = projection.containers.map((box) => Object.entries(box).filter(([name]) => name !== 'heardAt'))
  return { ...projection, containers: boxes.map((members) => Object.fromEntries(members)) }
}
