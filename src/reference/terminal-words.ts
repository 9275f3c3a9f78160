/**
 * Finds the terminal of a port for a name in other words than ours: with its operator before it, with more or fewer
 * general words, in another order. A wrong terminal costs more than none, so a name that is not clear names none.
 * `test/reference/named-terminals.test.ts` measures it with spellings made of our own list.
 */

import { plainName } from './plain-name.ts'
import type { Terminal } from './terminal.ts'

/** Words in the names of many terminals, in the languages of ports. They do not distinguish one from another. */
const general = new Set(
  (
    'TERMINAL TERMINALS TERMINALI TERM TER TML TMNL CONTAINER CONTAINERS CONT CNTR CTN PORT PORTS HARBOUR HARBOR ' +
    'SEAPORT PELABUHAN PUERTO PORTO HAFEN HAVEN LIMANI MARINE MARITIME OF THE AND DE DEL DA DO LA ' +
    'COMPANY CO LTD LIMITED INC LLC GMBH KG SA SPA BV NV AS PTE PVT PT SDN BHD CORP CORPORATION'
  ).split(' '),
)
/** A name with one of these words is that of another facility, whoever runs it. */
const otherFacilities = new Set(
  (
    'DEPOT DEPOTS YARD YARDS RAMP RAIL RAILWAY CFS ICD CY WAREHOUSE LOGISTICS INTERMODAL EMPTY EMPTIES STORAGE ' +
    'TRUCKING TRANSPORT INLAND DRY BARGE AIRPORT SIDING PARK ANCHORAGE REPAIR'
  ).split(' '),
)
/** `(CTB)` and `(K869)` repeat the name as a code, `(Phase I)` and `(TC1)` distinguish. */
const bracketedCode = /\((?![^)]*(?<!\d)\d\)|[^)]*\b[IV]+\))[^)]*\)/g
const numerals = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX']

/**
 * The words that distinguish a terminal of this port. `APM TERMINALS ROTTERDAM MAASVLAKTE 2` and `APM Terminals
 * Maasvlakte II` in Rotterdam both give `APM`, `MAASVLAKTE` and `2`.
 */
export function distinctiveWords(name: string, port: readonly string[]): ReadonlySet<string> {
  const ofPort = new Set(port.flatMap((each) => plainName(each).split(' ')))
  const words = plainName(name.replace(bracketedCode, ' '))
    .replace(/([A-Z])(?=\d)|(\d)(?=[A-Z])/g, '$1$2 ')
    .split(' ')
    .filter((word) => word !== '' && !general.has(word) && !ofPort.has(word))
  return new Set(words.map((word) => String(numerals.indexOf(word) + 1 || word)))
}

/** The minimum is two thirds of all words that distinguish: `NTB North Sea` for `North Sea`. */
const likenessMin = 2 / 3

/** Null when the words fit none of the terminals well enough, or several equally well. `port`: the names of the port. */
export function findByWords(
  written: string,
  names: readonly { readonly terminal: Terminal; readonly name: string }[],
  port: readonly string[],
): Terminal | null {
  const ofWritten = distinctiveWords(written, port)
  if ([...ofWritten].some((word) => otherFacilities.has(word))) return null
  // The name of the port alone is the port.
  if (ofWritten.size === 0 && !/\b(TERMINALS?|TML)\b/.test(plainName(written))) return null
  let [best, likest]: [Terminal | null, number] = [null, 0]
  for (const { terminal, name } of names) {
    const likeness = likenessOf(ofWritten, distinctiveWords(name, port))
    if (likeness > likest) [best, likest] = [terminal, likeness]
    else if (likeness === likest && best?.id !== terminal.id) best = null
  }
  return likest >= likenessMin ? best : null
}

/** The words of both among the words of either, 0 to 1. Two numbers or letters are two terminals of one name. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 1
  const either = [...a.union(b)]
  const shared = either.filter((word) => a.has(word) && b.has(word))
  if (either.some((word) => /^(\d+|[A-Z])$/.test(word) && !shared.includes(word))) return 0
  return shared.some((word) => word.length > 2) ? shared.length / either.length : 0
}
