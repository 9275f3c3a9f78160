// Each recording in this folder, and in the folder that LANDFALL_TEST_RECORDINGS names, is read as it expects.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkRecording, parseRecording, writeDifference } from '../../src/cli/sources/recording.ts'

const { LANDFALL_TEST_RECORDINGS: other } = process.env
const files = [import.meta.dirname, ...(other === undefined ? [] : [other])].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => join(folder, name)),
)

for (const file of files)
  test(`${file.slice(file.lastIndexOf('/') + 1)} is read as it expects`, () => {
    const differences = checkRecording(parseRecording(readFileSync(file, 'utf8')))
    assert.deepEqual(differences.map(writeDifference), [])
  })
