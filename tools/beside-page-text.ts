// Writes the text of the page about the data that are kept beside the ledger, from the table that a rebuild and `as_of`
// use.
import { besideFold } from '../src/pipeline/ledger/beside-fold-sql.ts'

export function writeBesidePage(): string {
  return [
    '# What stands beside the ledger',
    '',
    'For contributors, and for operators who rebuild an installation:',
    '',
    '```sh',
    'npm run landfall -- history check',
    '```',
    '',
    'Written by `node tools/run.mjs tools/beside-page.ts` from `src/pipeline/ledger/beside-fold-sql.ts`; change it there.',
    '',
    'Shipments, containers, requests, claims, issues, transport events and events follow from the ledger. Folding the ledger',
    'again gives the same rows, also the reference numbers and tags that users set. Other values are shown with these rows and',
    'do not come from the ledger. This table lists them, and says what happens to each in `npm run landfall -- history rebuild` and in a',
    'question about the past (`?as_of=`, [provenance](provenance.md)).',
    '',
    '| What | Comes from | Kept in | In a rebuild | As of a moment |',
    '|---|---|---|---|---|',
    ...besideFold.map(
      ({ what, comesFrom, storedIn: keptIn, inRebuild, inPast }) =>
        `| ${what} | ${comesFrom} | ${keptIn} | ${inRebuild} | ${inPast} |`,
    ),
    '',
  ].join('\n')
}
