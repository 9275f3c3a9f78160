/** How far long work has come, how fast it is, and how long it will take. */

export interface Pace {
  /** `120 of 900, 8.0 a second, 1 min 38 s left`. */
  readonly say: (done: number) => string
}

export function makePace(total: number, nowMs: () => number = () => performance.now()): Pace {
  const startMs = nowMs()
  return {
    say: (done) => {
      const seconds = (nowMs() - startMs) / 1_000
      if (done === 0 || seconds === 0) return `${done} of ${total}`
      const rate = done / seconds
      return `${done} of ${total}, ${rate.toFixed(1)} a second, ${writeTime((total - done) / rate)} left`
    },
  }
}

function writeTime(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
