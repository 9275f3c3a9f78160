/** What `npm run qa -- chaos --help` says. */

import { hardships } from './hardships.ts'
import { plants } from './plants.ts'

export const help = `Usage: npm run qa -- chaos [--seed 1] [--quick] [--cluster] [--plant ${[...plants, ...hardships].join('|')}]

Takes less than four minutes and touches nothing but loopback and a folder of its own: 22 kills with -9 of API and two
workers with four hands each, two stops of the database, 12 receivers that each fail in a way of their own, 750
containers of three accounts; each takeover from a killed process is timed; 21 of the shipments are asked for by many numbers that the accounts share, three of them
by sixteen boxes that are answered at the same moment.
  --cluster          divides the database among the nodes of LANDFALL_TEST_CITUS_URL (\`node tools/run.mjs tools/citus.ts\`);
                     where the database would be stopped, one of the nodes is killed; takes several times as long
  --quick            fewer containers, six kills, one stop: about a minute
  --plant loss       takes an event away behind the service's back, and calls a notification sent that was not
  --plant duplicate  writes an event a second time under a new id
  --plant leak       sends a notification of one account to a receiver of another
  --plant reorder    lets two events of one shipment change places
  --plant memory     gives a worker a task that ends it for want of memory, each time it is tried (does not hold yet)
  --plant lock       holds a row that a task needs for longer than its lease lasts
With a plant the run is a quick one. With the first four it must fail, with memory and lock it must hold.
Exits with 0 when the promises held, 1 when one did not, 2 when it could not be run.`
