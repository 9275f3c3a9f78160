/**
 * The view that clients of the MCP server show beside an answer: the journey on a map, with its milestones. It has all
 * that it needs within, asks nobody, and draws only what its host hands over.
 */

import land from '../map/data/land.json'
import { landOf } from '../map/land-of.ts'
import { h } from '../widget/dom.ts'
import { journeyViewWords as words } from '../words/journey-view.ts'
import { drawJourney } from './draw-journey.ts'
import { connectHost } from './host.ts'
import look from './journey-view.css?inline'
import { findJourney } from './shown-journey.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(look)
document.adoptedStyleSheets = [sheet]
const main = document.querySelector('main') ?? document.body
const outline = landOf(land)

function tell(sentence: string): void {
  main.replaceChildren(h('p', { class: 'quiet none', role: 'status' }, sentence))
}

tell(words.reading)
connectHost({
  result: (result) => {
    const journey = findJourney(result)
    if (journey === null) tell(words.none)
    else main.replaceChildren(...drawJourney(journey, outline))
  },
  cancelled: () => tell(words.cancelled),
  theme: (theme) => {
    document.documentElement.dataset['theme'] = theme
  },
})
