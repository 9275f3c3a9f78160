// Writes the text of the page about the data that are kept beside the ledger, from the table that a rebuild and `as_of`
// use.
import { besideFold } from '../src/store/ledger/beside-fold.ts'

export function writeBesidePage(): string {
  return [
    '# What stands beside the ledger',
    '',
    'Written by `node tools/run.mjs tools/beside-page.ts` from `src/store/ledger/beside-fold.ts`; change it there.',
    '',
    'Shipments, containers, requests, claims, issues, transport events and events follow from the ledger: folded anew, it',
    'yields the same rows, reference numbers and tags that users set included. What is shown with them and comes from',
    'elsewhere is here, with what becomes of it when the ledger is folded anew: by `npm run rebuild`, and for a moment',
    'that has been (`?as_of=`, [provenance](provenance.md)).',
    '',
    '| What | Comes from | Kept in | In a rebuild | As of a moment |',
    '|---|---|---|---|---|',
    ...besideFold.map(
      ({ what, comesFrom, keptIn, inRebuild, inPast }) =>
        `| ${what} | ${comesFrom} | ${keptIn} | ${inRebuild} | ${inPast} |`,
    ),
    '',
  ].join('\n')
}
