/** Every one of the 38 lines answers what it supports, refuses what it does not, and has its published gaps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINES, NUMBER_KINDS } from '../../sandbox/lines.ts'
import { Asker, codeOf, type DcsaEvent, eventsIn } from './ask.ts'

test('there are 38 lines with the published coverage', () => {
  assert.equal(LINES.length, 38)
  const only = (kinds: string): readonly string[] =>
    LINES.filter((line) => line.kinds.join() === kinds)
      .map(({ scac }) => scac)
      .sort()
  assert.deepEqual(only('container'), ['EGLV', 'PCIU', 'TXZJ', 'WDSB'])
  assert.deepEqual(only('booking'), ['TRBR'])
  const noContainers = 'CHVW CLAM COSU GOSU IILU MATS SAFM SMLM SMLU SSBF SSPH TJFH ZIMU'.split(' ')
  assert.deepEqual(only('bill_of_lading,booking'), noContainers)
  assert.equal(only('bill_of_lading,booking,container').length, 20)
})

test('every line answers each kind of number it supports and refuses the others with a DCSA error', async (t) => {
  const asker = await Asker.start(t)
  const numbers = await asker.numbers()
  for (const { scac, kinds } of LINES) {
    for (const kind of NUMBER_KINDS) {
      if (kinds.includes(kind)) {
        const listed = numbers.find((entry) => entry.scac === scac && entry.kind === kind)
        assert.ok(listed, `${scac} has no ${kind} to try`)
        assert.notEqual((await asker.events(scac, kind, listed.number)).length, 0, `${scac} ${kind}`)
        continue
      }
      const reply = await asker.ask(scac, kind, 'ANYTHING1')
      assert.ok(reply.status === 400 || reply.status === 404, `${scac} ${kind}: ${reply.status}`)
      const error = JSON.parse(reply.text)
      assert.deepEqual(Object.keys(error).sort(), [
        'errorDateTime',
        'errors',
        'httpMethod',
        'requestUri',
        'statusCode',
        'statusCodeText',
      ])
      assert.equal(error.statusCode, reply.status)
    }
  }
})

test('an unknown number is 404 at some lines and an empty list at others', async (t) => {
  const asker = await Asker.start(t)
  assert.equal((await asker.ask('MAEU', 'booking', '999999990')).status, 404)
  const empty = await asker.ask('MSCU', 'booking', '999999990')
  assert.deepEqual([empty.status, empty.text], [200, '[]'])
  assert.equal((await asker.get('/mscu/v2/events?eventType=TRANSPORT')).status, 400)
  assert.equal((await asker.get('/nope/v2/events?carrierBookingReference=1')).status, 404)
})

test('alternative codes answer for their line, with and without the code as a prefix of the number', async (t) => {
  const asker = await Asker.start(t)
  const [listed] = await asker.numbers('&scac=YMLU&kind=booking')
  assert.ok(listed)
  const usual = await asker.ask('YMLU', 'booking', listed.number)
  for (const [scac, number] of [
    ['YMPR', listed.number],
    ['ymja', listed.number.toLowerCase()],
    ['YMSG', `YMLU${listed.number}`],
  ] as const) {
    assert.equal((await asker.ask(scac, 'booking', number)).text, usual.text)
  }
})

async function everything(asker: Asker, scac: string): Promise<readonly DcsaEvent[]> {
  const numbers = await asker.numbers(`&scac=${scac}`)
  const answers = await Promise.all(numbers.slice(0, 60).map((n) => asker.events(scac, n.kind, n.number)))
  return [...new Map(answers.flat().map((event) => [event.eventID, event])).values()]
}

test('the lines omit the data that they are documented to omit', async (t) => {
  const asker = await Asker.start(t)
  for (const scac of 'CMDU APLU ANNU MAEU SEAU SEJJ SAFM MSCU HLCU OOLU ZIMU'.split(' ')) {
    assert.ok(
      (await everything(asker, scac)).every((event) => event.seals === undefined),
      `${scac} sends no seals`,
    )
  }
  assert.ok((await everything(asker, 'KMTU')).some((event) => event.seals !== undefined))
  assert.ok((await everything(asker, 'HDMU')).every((event) => event.ISOEquipmentCode === undefined))
  assert.ok((await everything(asker, 'EGLV')).every(({ eventDateTime }) => /^\d{4}-\d{2}-\d{2}$/.test(eventDateTime)))
  const codesOf = async (scac: string): Promise<readonly string[]> =>
    (await everything(asker, scac)).flatMap((event) => event.ISOEquipmentCode ?? [])
  assert.ok((await codesOf('ONEY')).every((code) => /^..[GR]/.test(code)))
  assert.ok((await codesOf('EGLV')).every((code) => /^..[GRP]/.test(code)))
  assert.ok((await codesOf('SSBF')).every((code) => /^..G/.test(code)))
  const cosco = (await everything(asker, 'COSU')).filter(({ eventType }) => eventType === 'TRANSPORT')
  assert.ok(cosco.every(({ eventClassifierCode }) => eventClassifierCode !== 'ACT'))
  for (const scac of ['ONEY', 'YMLU', 'CMDU']) {
    assert.ok(
      (await everything(asker, scac)).every(({ eventType }) => eventType !== 'SHIPMENT'),
      scac,
    )
  }
})

test('the sandbox simulates the known peculiarities of each line', async (t) => {
  const asker = await Asker.start(t)
  const [maersk] = await asker.numbers('&scac=MAEU')
  assert.ok(maersk)
  assert.match((await asker.ask('MAEU', maersk.kind, maersk.number)).text, /^\{"events":\[/)
  const some = async (scac: string, is: (event: DcsaEvent) => boolean): Promise<void> => {
    const events = await everything(asker, scac)
    assert.ok(events.some(is) && !events.every(is), scac)
  }
  await some('MAEU', ({ eventDateTime }) => /T\d\d:\d\d:\d\d$/.test(eventDateTime))
  await some('EGLV', ({ eventClassifierCode }) => eventClassifierCode === 'PLAN')
  await some('EGLV', ({ transportCall }) => transportCall?.vessel?.vesselIMONumber === '')
  await some('ZIMU', (event) => event.eventType === 'TRANSPORT' && event.transportCall === undefined)
  await some('ONEY', ({ transportCall }) => transportCall?.modeOfTransport === 'FEEDER')
  for (const scac of ['ONEY', 'YMLU']) {
    await some(
      scac,
      ({ transportCall }) => transportCall?.vessel !== undefined && !('vesselIMONumber' in transportCall.vessel),
    )
  }
  const cma = await everything(asker, 'CMDU')
  assert.ok(cma.every(({ documentReferences: [first] }) => first?.documentReferenceType === 'BKG (Booking)'))
})

test('a bill that was entered late lacks earlier vessel events, at the Maersk lines only', async (t) => {
  const asker = await Asker.start(t)
  const late = await asker.numbers('&scenario=bill_entered_late&stage=empty_returned&kind=bill_of_lading')
  assert.notEqual(late.length, 0)
  for (const { scac, number } of late) {
    assert.ok(['MAEU', 'SAFM', 'SEAU', 'SEJJ'].includes(scac))
    const events = await asker.events(scac, 'bill_of_lading', number)
    const loaded = events.find((event) => codeOf(event) === 'LOAD')?.transportCall?.transportCallID
    const departed = events.filter((e) => e.eventClassifierCode === 'ACT' && codeOf(e) === 'DEPA')
    assert.ok(
      departed.every(({ transportCall }) => transportCall?.transportCallID !== loaded),
      `${scac} ${number}`,
    )
  }
})

test('pages are linked by cursor and together have the events of a single page', async (t) => {
  const asker = await Asker.start(t)
  for (const scac of ['ACLU', 'HLCU']) {
    const [listed] = await asker.numbers(`&scac=${scac}&kind=booking&stage=empty_returned`)
    assert.ok(listed)
    const whole = await asker.events(scac, 'booking', listed.number)
    const pages: DcsaEvent[] = []
    let path: string | null = `/${scac}/v2/events?carrierBookingReference=${listed.number}&limit=4`
    while (path !== null) {
      const reply: Awaited<ReturnType<Asker['get']>> = await asker.get(path)
      assert.match(reply.headers.get('api-version') ?? '', /^2\./)
      assert.ok(reply.headers.has('current-page'))
      pages.push(...eventsIn(reply.text))
      const next = reply.headers.get('next-page')
      const cursor = next === null ? null : next.startsWith('http') ? new URL(next).searchParams.get('cursor') : next
      path = cursor === null ? null : `/${scac}/v2/events?carrierBookingReference=${listed.number}&cursor=${cursor}`
    }
    assert.ok(whole.length > 4)
    assert.deepEqual(pages, whole)
  }
})

test('query filters limit the events that a line returns', async (t) => {
  const asker = await Asker.start(t)
  const [listed] = await asker.numbers('&scac=ACLU&kind=booking&stage=sailing')
  assert.ok(listed)
  const path = `/aclu/v2/events?carrierBookingReference=${listed.number}`
  const transports = eventsIn((await asker.get(`${path}&eventType=TRANSPORT`)).text)
  assert.ok(transports.length > 0 && transports.every(({ eventType }) => eventType === 'TRANSPORT'))
  const box = listed.containers[0] ?? ''
  const ofBox = eventsIn((await asker.get(`${path}&equipmentReference=${box}&eventType=EQUIPMENT`)).text)
  assert.ok(ofBox.length > 0 && ofBox.every(({ equipmentReference }) => equipmentReference === box))
  const since = ofBox.at(-1)?.eventCreatedDateTime ?? ''
  const recent = eventsIn((await asker.get(`${path}&eventCreatedDateTime:gte=${encodeURIComponent(since)}`)).text)
  assert.ok(recent.length > 0 && recent.every(({ eventCreatedDateTime }) => eventCreatedDateTime >= since))
})
