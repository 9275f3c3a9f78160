// What one event that the process counts is made of.
import type { LogEvent, LogLevel } from './log.ts'

export type BusinessEvent = {
  /** Its name in the log. The counter's name is made from it: `landfall_look_finished_total`. */
  readonly event: LogEvent
  readonly level: LogLevel
  readonly help: string
  /** Each label has few values: a label with an id in it would make a time series for every shipment. */
  readonly labels: readonly string[]
  /**
   * The labels of the histogram of its `durationMs`; no histogram when left out. Each value of a label makes ten time
   * series.
   */
  readonly secondsBy?: readonly string[]
  /** Shown as 0 before it first happens, because an alert rule queries its increase. Only without labels. */
  readonly startsAtZero?: true
}
