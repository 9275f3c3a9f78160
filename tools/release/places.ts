/**
 * Where the version of Landfall is written. package.json is the source: the program reads its version there. The other
 * files are read by programs that do not read package.json, and a release writes them all.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Place {
  readonly file: string
  /** Every match has the version as its first group. */
  readonly pattern: RegExp
}

const versionPlaces: readonly Place[] = [
  { file: 'package.json', pattern: /(?<=^ {2}"version": ")([^"]+)/gm },
  {
    file: 'package-lock.json',
    pattern: /(?<=^ {2}"version": "|^ {6}"name": "landfall",\n {6}"version": ")([^"]+)/gm,
  },
  { file: 'sdk/typescript/package.json', pattern: /(?<=^ {2}"version": ")([^"]+)/gm },
  { file: 'sdk/python/pyproject.toml', pattern: /(?<=^version = ")([^"]+)/gm },
  { file: 'docs/openapi.json', pattern: /(?<="title":"Landfall","version":")([^"]+)/g },
  { file: 'distribution/Containerfile', pattern: /(?<=image\.version=")([^"]+)/g },
  { file: 'distribution/helm/Chart.yaml', pattern: /(?<=^version: |^appVersion: ")(\d[^"\n]*)/gm },
  { file: 'distribution/landfall.service', pattern: /(?<=landfall-)(\d[^ )]*)(?=\.tgz)/g },
  { file: 'docs/installing.md', pattern: /(?<=landfall-)(\d[^ )]*)(?=\.tgz)/g },
]

export const versionFiles: readonly string[] = versionPlaces.map(({ file }) => file)

/** The version of package.json. */
export function readVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return version
}

/** One sentence for each file that names another version than package.json, or none. */
export function findDisagreements(folder: string): readonly string[] {
  const version = readVersion(folder)
  return versionPlaces.flatMap(({ file, pattern }) => {
    const found = readFileSync(join(folder, file), 'utf8').match(pattern) ?? []
    if (found.length === 0) return [`${file} names no version.`]
    const other = found.find((each) => each !== version)
    return other === undefined ? [] : [`${file} names ${other}, package.json ${version}.`]
  })
}

export function writeVersions(folder: string, version: string): void {
  for (const { file, pattern } of versionPlaces) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, version))
  }
}
