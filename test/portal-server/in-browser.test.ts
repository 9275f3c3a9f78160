// All tests in a real browser: one file, because a browser, a server and a filled database for each file would
// cost more than its tests.
import { after, describe } from 'node:test'
import { testAlertRule } from './in-browser/alert-rule.ts'
import { testApp } from './in-browser/app.ts'
import { testAttention } from './in-browser/attention.ts'
import { testCharges } from './in-browser/charges.ts'
import { testConnections } from './in-browser/connections.ts'
import { testGuide } from './in-browser/guide.ts'
import { testJourneyView } from './in-browser/journey-view.ts'
import { testLists } from './in-browser/lists.ts'
import { testLosses } from './in-browser/losses.ts'
import { testMorning } from './in-browser/morning.ts'
import { testPages } from './in-browser/pages.ts'
import { testSettings } from './in-browser/settings.ts'
import { testSharing } from './in-browser/sharing.ts'
import { testSignedIn } from './in-browser/signed-in.ts'
import { testSpeed } from './in-browser/speed.ts'
import { testTrack } from './in-browser/track.ts'
import { testUnmappedCodes } from './in-browser/unmapped-codes.ts'
import { openWorld } from './in-browser/world.ts'

const world = await openWorld()
after(() => world.close())

describe('each page of the portal', () => testPages(world))
describe('the portal app', () => testApp(world))
describe('tracking', () => testTrack(world))
describe('the lists', () => testLists(world))
describe('free time', () => testCharges(world))
describe('custom fields, keys and members', () => testSettings(world))
describe('a connection', () => testConnections(world))
describe('the inbox', () => testAttention(world))
describe('a rule for alerts', () => testAlertRule(world))
describe('the issues of a shipment', () => testLosses(world))
describe('an unmapped code', () => testUnmappedCodes(world))
describe('sharing', () => testSharing(world))
describe('a person who signs in', () => testSignedIn(world))
describe('a long list', () => testSpeed(world))
describe('the journey view of an agent host', () => testJourneyView(world))
describe('a morning of work', () => testMorning(world))
describe('the guide', () => testGuide(world))
