/** The scorecard of the sources: what each told of the journeys that ended last, how soon, and how often it was wrong. */

import type { SourceScorecard } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Moment, Unsaid } from '../parts/moment.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { saveFile } from '../parts/save-file.ts'
import { plain } from '../words/names.ts'
import { operateWords } from '../words/operate.ts'
import { Table } from './table.tsx'

const words = operateWords.scores

const path = '/v2/scorecards/sources'
export const useSourceScores = () => useRead(path)

export function SourceScores({ found }: { found: ReturnType<typeof useSourceScores> }) {
  const connection = useConnection()
  const download = async () => saveFile(await connection.blob(`${path}?format=csv`), 'source-scorecards.csv')
  if (found.error !== null) return <ProblemNote error={found.error} again={() => void found.refetch()} />
  const rows = found.data?.data.map(({ id, attributes }) => ({ id, card: attributes as Card })) ?? []
  if (rows.length === 0) return null
  return (
    <>
      <p className="quiet">
        {words.about}{' '}
        <button type="button" className="link" onClick={() => void download()}>
          {words.csv}
        </button>
      </p>
      <Table label={words.title} columns={words.columns}>
        {rows.map(({ id, card }) => (
          <tr key={id}>
            <th scope="row">
              {card.name} <span className="code">{card.code}</span>
              <span className="under">{plain(card.speaker)}</span>
            </th>
            <td>{card.containers}</td>
            <td>
              <Share part={card.told_share} />
              {card.milestones_known > 0 && (
                <span className="under">{words.of(card.milestones_told, card.milestones_known)}</span>
              )}
            </td>
            <td>
              <Share part={card.told_within_12h_share} />
            </td>
            <td>
              <Share part={card.told_within_24h_share} />
            </td>
            <td>{card.milestones_corrected}</td>
            <td>{card.contradicted}</td>
            <td>
              <FreeDays card={card} />
            </td>
            <td>
              <Missing card={card} />
            </td>
            <td>
              <Changes card={card} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}

type Card = Required<SourceScorecard['attributes']>

function Share({ part }: { part: number | null }) {
  return part === null ? <Unsaid reason={words.none} /> : <span>{words.share(part)}</span>
}

function FreeDays({ card: { free_days: days } }: { card: Card }) {
  if (days === null) return <Unsaid reason={words.noDays} />
  return (
    <>
      {words.agree(days.agree, days.compared)}
      {days.agree < days.compared && (
        <span className="under">{words.earlier(days.line_earlier, days.terminal_earlier)}</span>
      )}
    </>
  )
}

function Changes({ card: { answer_changes: changes } }: { card: Card }) {
  if (changes.length === 0) return <span>{words.unchanged}</span>
  return (
    <ul className="plain-list">
      {changes.map(({ change, member, since }) => (
        <li key={`${change} ${member}`}>
          {plain(change)}: <code>{member}</code> <Moment at={since} zone="UTC" />
        </li>
      ))}
    </ul>
  )
}

/** What the line promises and did not always give. */
function Missing({ card: { provided_data: fields } }: { card: Card }) {
  if (fields === null) return <Unsaid reason={words.none} />
  const missing = fields.filter(({ promised, present, containers }) => promised && present < containers)
  if (missing.length === 0) return <span>{words.complete}</span>
  return (
    <ul className="plain-list">
      {missing.map(({ name, present, containers }) => (
        <li key={name}>
          {plain(name)}: {words.of(present, containers)}
        </li>
      ))}
    </ul>
  )
}
