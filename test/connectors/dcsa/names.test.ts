import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { normalizeNames } from '../../../src/connectors/dcsa/names.ts'
import { callWith, equipmentEvent, issuesOf, onlyEventOf, readBody, transportEvent } from './events.ts'

describe('Names of members', () => {
  it('are matched in any case', () => {
    const transportCall = { transportCallId: 'C-1', modeoftransport: 'VESSEL', unLocationCode: 'USLAX' }
    const { place, callId, mode, key } = onlyEventOf(
      readBody([transportEvent({ eventID: undefined, eventId: 'E-1', transportCall })]),
    )
    assert.deepEqual([place.unlocode, callId, mode, key], ['USLAX', 'C-1', 'VESSEL', 'E-1'])
  })

  it('the exact name is used before a variant, in any order, even when its value is null', () => {
    for (const eventLocation of [
      { unLocationCode: 'USLGB', UNLocationCode: 'USLAX' },
      { UNLocationCode: 'USLAX', unLocationCode: 'USLGB' },
      { unLocationCode: 'USLGB', UNLocationCode: null },
    ])
      assert.equal(onlyEventOf(readBody([equipmentEvent({ eventLocation })])).place.unlocode, 'USLAX')
  })

  it('the first of several variants is used', () => {
    const json = JSON.parse('{"eventId": "a", "EventID": "b"}')
    normalizeNames(json)
    assert.equal(json.eventID, 'a')
  })

  it('an issue names the member as the line spelled it', () => {
    const reading = readBody({
      Events: [
        transportEvent({
          transportCall: callWith({ Vessel: { vesselImoNumber: '9321484' }, vessel: undefined }),
        }),
        equipmentEvent({ equipmentReference: undefined }),
      ],
    })
    assert.deepEqual(issuesOf(reading), [
      'other_body_shape ',
      'bad_imo /Events/0/transportCall/Vessel/vesselImoNumber',
      'missing_field /Events/1/equipmentReference',
    ])
  })

  it('unknown names stay unchanged, and names such as constructor or __proto__ are treated as data', () => {
    const text = '{"__proto__": {"eventid": "x"}, "constructor": 1, "toString": 2, "colour": "red"}'
    const json = JSON.parse(text)
    normalizeNames(json)
    assert.deepEqual(Object.keys(json), ['__proto__', 'constructor', 'toString', 'colour'])
    assert.equal(Object.getPrototypeOf(json), Object.prototype)
    assert.equal(json.eventID, undefined)
  })

  it('an answer with the deepest possible nesting is read', () => {
    const depth = 200_000
    const deep = `${'{"eventid":'.repeat(depth)}1${'}'.repeat(depth)}`
    const text = `[${JSON.stringify(transportEvent()).slice(0, -1)},"more":${deep}}]`
    assert.equal(onlyEventOf(readBody(text)).code, 'ARRI')
  })

  it('the work grows in proportion to the answer', () => {
    const stepsFor = (count: number): number => {
      const members = Array.from({ length: count }, (_, index) => `"unlocationcode${index}":${index}`)
      const events = Array.from({ length: count }, () => '{"EVENTTYPE":"x","eventid":"y"}')
      return countSteps(JSON.parse(`[{${members.join()}},${events.join()}]`))
    }
    assert.ok(stepsFor(4_000) < 2.1 * stepsFor(2_000))
  })
})

/** How often members of an answer are read or written while its names are changed. */
function countSteps(json: unknown): number {
  let steps = 0
  const watched = new WeakMap<object, object>()
  const watch = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = watched.get(value)
    if (known !== undefined) return known
    const count =
      <Args extends unknown[]>(ask: (...args: Args) => unknown) =>
      (...args: Args): never => {
        steps += 1
        return watch(ask(...args)) as never
      }
    const traps: ProxyHandler<object> = {
      get: count(Reflect.get),
      set: count(Reflect.set),
      has: count(Reflect.has),
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target)
        steps += keys.length
        return keys
      },
      getOwnPropertyDescriptor: (target, key) => {
        steps += 1
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
    }
    const proxy = new Proxy(value, traps)
    watched.set(value, proxy)
    return proxy
  }
  normalizeNames(watch(json))
  return steps
}
