/** Reads a vector file: `input | expected`, with a comment behind # that says why the line is there. */

import { readFileSync } from 'node:fs'

export interface Vector {
  readonly input: string
  readonly expected: string
  readonly why: string
}

export function readVectors(name: string): readonly Vector[] {
  return readFileSync(new URL(`./vectors/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.includes(' | '))
    .filter((line) => !line.startsWith('# input'))
    .map((line) => {
      const whyAt = line.lastIndexOf('# ')
      const [input = '', expected = ''] = line.slice(0, whyAt).split(' | ')
      return { input, expected: expected.trim(), why: line.slice(whyAt + 2) }
    })
}
