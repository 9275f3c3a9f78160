/** Checks the file of a pack against files of a holder (roots and keys), and lists the findings in lines. */

import { readFileSync } from 'node:fs'
import { checkPack, type PackCheck } from './check-pack.ts'
import type { PublicKey, RootHead, SignedLedgerRoot } from './evidence-pack.ts'

export interface PackFiles {
  readonly pack: string
  /** Answers of `/v2/ledger_roots`, or bodies of webhooks, each as it came. */
  readonly roots: readonly string[]
  /** The answer of `/.well-known/landfall-evidence-keys.json`. */
  readonly keys: string | null
}

/** Throws an Error with a sentence when a file cannot be read. */
export function checkFiles({ pack, roots, keys }: PackFiles): PackCheck {
  return checkPack(readJson(pack), {
    roots: roots.length === 0 ? null : roots.flatMap(readRoots),
    keys: keys === null ? null : (readJson(keys) as { readonly keys: readonly PublicKey[] }).keys,
  })
}

/** One line for each finding. Many that are good are one line. */
export function checkLines({ isGood, findings, notProven }: PackCheck): readonly string[] {
  const good = findings.filter(({ outcome }) => outcome === 'good').map(({ sentence }) => `good  ${sentence}`)
  const marks = { open: 'open ', bad: 'BAD  ', good: 'good ' }
  return [
    ...(good.length > 20 ? [...good.slice(0, 10), `good  … and ${good.length - 10} more.`] : good),
    ...findings
      .filter(({ outcome }) => outcome !== 'good')
      .map(({ outcome, sentence }) => `${marks[outcome]} ${sentence}`),
    '',
    isGood ? 'No fault was found in this pack.' : 'This pack is not valid.',
    'It does not prove:',
    ...notProven.map((sentence) => `- ${sentence}`),
  ]
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

interface RootResource {
  readonly type?: unknown
  readonly attributes?: { readonly head: RootHead; readonly kid: string; readonly signature: string }
}

/** Every root in a JSON:API document, at any place. */
function readRoots(file: string): readonly SignedLedgerRoot[] {
  const { data, included = [] } = readJson(file) as {
    readonly data?: unknown
    readonly included?: readonly unknown[]
  }
  const resources = [...(Array.isArray(data) ? data : [data]), ...included] as readonly (RootResource | null)[]
  return resources.flatMap((each) =>
    each?.type === 'ledger_root' && each.attributes !== undefined
      ? [
          {
            ...each.attributes.head,
            signature: { kid: each.attributes.kid, value: each.attributes.signature },
          },
        ]
      : [],
  )
}
