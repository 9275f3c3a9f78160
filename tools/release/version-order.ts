/** Versions as Semantic Versioning 2.0.0 orders them. Landfall has no pre-releases, so three numbers are all. */

/** Null when the text is no version. */
export function parseVersion(text: string): readonly [number, number, number] | null {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

/** Negative when `one` comes before `other`. Both must be versions. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [parseVersion(one), parseVersion(other)]
  if (first === null || second === null) throw new Error(`${first === null ? one : other} is no version.`)
  return first[0] - second[0] || first[1] - second[1] || first[2] - second[2]
}
