// Figures of estimates, counted from what the API exports, by a program of its own: it shares no code with the product.
// Reads JSON from stdin: [{ line, pod, arrivals: [{ at, event, zone, container }], etas: [attributes of shipment_eta] }].
// Writes JSON: { "<line> <kind> <least days ahead>": { n, mean, median, bias, day, held, moved, move } }.
import { readFileSync } from 'node:fs'

const steps = [35, 21, 14, 10, 7, 5, 3, 2, 1, 0]
const hour = 3600e3
const speakers = { shipping_line: 'line', terminal: 'terminal', landfall: 'own' }

function isMidnight(at, zone) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return /^(00|24):00:00$/.test(format.format(new Date(at)))
}

const middle = (at, isDay) => Date.parse(at) + (isDay ? 12 * hour : 0)
const mean = (numbers) => (numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0) / numbers.length)
const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

const cells = {}
for (const { line, arrivals, etas } of JSON.parse(readFileSync(0, 'utf8'))) {
  const berth = arrivals.find(({ event }) => event.endsWith('vessel_berthed'))
  const counted = berth ?? arrivals.find(({ event }) => event.endsWith('vessel_arrived'))
  if (counted === undefined) continue
  const isDay = isMidnight(counted.at, counted.zone)
  const arrived = middle(counted.at, isDay)
  const boxes = arrivals.map(({ container }) => container)
  const heard = new Map()
  const put = (kind, eta, at) => {
    const speaker = `${kind} ${eta.source_code}`
    if (!heard.has(speaker)) heard.set(speaker, [])
    heard.get(speaker).push({ kind, told: Date.parse(eta.heard_at), at, eta })
  }
  for (const eta of etas) {
    if (Date.parse(eta.heard_at) >= arrived) continue
    if (eta.container_numbers.length > 0 && !eta.container_numbers.some((box) => boxes.includes(box))) continue
    const kind = speakers[eta.said_by]
    if (kind !== undefined) put(kind, eta, middle(eta.eta_at, eta.day_only))
    if (eta.made_of) put('vessel', { ...eta, earliest_at: null }, Date.parse(eta.made_of.vessel_eta_at))
  }
  const width = ({ eta }) => eta.container_numbers.length || Infinity
  const lines = []
  for (const all of heard.values()) {
    let before = null
    for (const told of [...new Set(all.map((each) => each.told))].sort((a, b) => a - b)) {
      const same = all.filter((each) => each.told === told)
      const firm = same.some(({ eta }) => eta.classifier === 'estimated')
        ? same.filter(({ eta }) => eta.classifier === 'estimated')
        : same
      const widest = Math.max(...firm.map(width))
      const best = Math.max(...firm.filter((each) => width(each) === widest).map(({ at }) => at))
      const spoken = firm.find((each) => width(each) === widest && each.at === best)
      const moved = before === null ? null : Math.abs(best - before) / hour
      before = best
      const { earliest_at: from, latest_at: to } = spoken.eta
      const held = from === null || isDay ? null : Date.parse(from) <= arrived && arrived <= Date.parse(to)
      const one = {
        kind: spoken.kind,
        told,
        ahead: (best - told) / 24 / hour,
        error: (arrived - best) / hour,
        held,
        moved,
      }
      lines.push(one)
    }
  }
  const firsts = lines.filter(({ kind }) => kind === 'line').sort((a, b) => a.told - b.told)
  for (const each of [...lines, ...firsts.slice(0, 1).map((one) => ({ ...one, kind: 'first', moved: null }))]) {
    const cell = `${line} ${each.kind} ${steps.find((step) => each.ahead >= step) ?? 0}`
    cells[cell] ??= []
    cells[cell].push(each)
  }
}

const figures = Object.entries(cells).map(([cell, all]) => {
  const sizes = all.map(({ error }) => Math.abs(error))
  const moves = all.flatMap(({ moved }) => (moved === null ? [] : [moved]))
  const held = all.flatMap((each) => (each.held === null ? [] : [each.held ? 1 : 0]))
  return [
    cell,
    {
      n: all.length,
      mean: mean(sizes),
      median: median(sizes),
      bias: mean(all.map(({ error }) => error)),
      day: mean(sizes.map((size) => (size <= 24 ? 1 : 0))),
      held: mean(held),
      moved: mean(moves.map((move) => (move > 0 ? 1 : 0))),
      move: mean(moves.filter((move) => move > 0)),
    },
  ]
})
process.stdout.write(JSON.stringify(Object.fromEntries(figures)))
