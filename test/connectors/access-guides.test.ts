// What is written about getting access to a carrier or facility: complete, dated, and with a source for each value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessGuideSchema, facilityGuides, findAccessGuide, lineGuides } from '../../src/connectors/access-guides.ts'
import { checkAgainst } from '../../src/connectors/check-schema.ts'
import { shippedNames } from '../../src/connectors/terminal-api/description.ts'
import { allShippingLines } from '../../src/reference/shipping-lines.ts'

const guides = [...lineGuides(), ...facilityGuides()]

test('each line and each shipped description of a facility has one guide', () => {
  const names = guides.flatMap((guide) => guide.names)
  assert.equal(new Set(names).size, names.length)
  for (const name of [...allShippingLines().map(({ scac }) => scac), ...shippedNames])
    assert.notEqual(findAccessGuide(name), null, name)
})

test('each value of a guide has a source with the day on which it was looked up', () => {
  for (const guide of guides) {
    assert.ok(checkAgainst(accessGuideSchema, guide).ok, guide.names[0])
    const { names, title: _title, speaker: _speaker, sources, ...values } = guide
    const sourced = new Set(sources.flatMap((source) => source.for))
    for (const [name, value] of Object.entries(values))
      if (value !== null && value.length > 0) assert.ok(sourced.has(name), `${names[0]}: ${name}`)
    for (const { url } of sources) assert.ok(url === null || URL.canParse(url), `${names[0]}: ${url}`)
  }
})
