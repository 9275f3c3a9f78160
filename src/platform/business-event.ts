/** An event that the process counts. */

import type { LogEvent, LogLevel } from './log.ts'

export type BusinessEvent = {
  /** Its name in the log. The counter's name is made from it: `landfall_look_finished_total`. */
  readonly event: LogEvent
  readonly level: LogLevel
  readonly help: string
  /** Each label has few values: a label with an id in it would make a time series for every shipment. */
  readonly labels: readonly string[]
}
