// The small map: a journey is shown completely, even across the 180th meridian, and land is where it is.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { geoArea, geoContains } from 'd3-geo'
import { fitJourney, middleOf } from '../../portal/src/map/fit.ts'
import { landOf } from '../../portal/src/map/land-of.ts'

const size = { width: 900, height: 380 }

test('the map of a Pacific journey is centred on the Pacific', () => {
  assert.equal(middleOf([121, -118]), -178.5)
  assert.equal(middleOf([4, -74]), -35)
  assert.equal(middleOf([120]), 120)
  assert.equal(middleOf([]), 0)
})

test('every port of a journey is inside the map, in order from west to east', () => {
  for (const ports of [
    [
      [121.5, 31.2],
      [-118.2, 33.7],
    ],
    [
      [4.1, 51.9],
      [103.8, 1.3],
      [121.5, 31.2],
    ],
    [
      [8.5, 53.5],
      [9.9, 53.5],
    ],
    [[-118.2, 33.7]],
  ] as const) {
    const projection = fitJourney(ports, size)
    const drawn = ports.map(([x, y]): readonly [number, number] => projection([x, y]) ?? [-1, -1])
    for (const [x, y] of drawn) {
      assert.ok(x >= 0 && x <= size.width, `${x}`)
      assert.ok(y >= 0 && y <= size.height, `${y}`)
    }
    const across = drawn.map(([x]) => x)
    assert.deepEqual(
      across,
      across.toSorted((a, b) => a - b),
    )
  }
})

test('the land outline contains land and not the sea', () => {
  const folder = new URL('../../portal/src/map/data/', import.meta.url)
  const land = landOf(JSON.parse(readFileSync(new URL('land.json', folder), 'utf8')) as number[][][])
  for (const [name, at, isLand] of [
    ['Germany', [10, 51], true],
    ['Kansas', [-98, 38.5], true],
    ['New Guinea', [141, -6], true],
    ['the Pacific', [-150, 0], false],
    ['the Atlantic', [-35, 40], false],
    ['the Caspian Sea', [50.5, 42], false],
  ] as const)
    assert.equal(geoContains(land, [at[0], at[1]]), isLand, name)
  const share = geoArea(land) / (4 * Math.PI)
  assert.ok(share > 0.26 && share < 0.32, `land is ${share} of the earth`)
})

test('the land outline has its source and licence beside it', () => {
  const folder = new URL('../../portal/src/map/data/', import.meta.url)
  const about = JSON.parse(readFileSync(new URL('land.json.SOURCE.json', folder), 'utf8')) as Record<string, unknown>
  assert.equal(about['licence'], 'public domain')
  assert.equal(typeof about['sha256'], 'string')
})
