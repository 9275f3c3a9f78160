/** Times as the API writes them: without a fraction where it is nothing. What is hashed and signed has them so too. */

const wholeTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/

/** Every text in the value that is such a time, however deep. */
export function dropZeroMilliseconds<Value>(value: Value): Value {
  const written: unknown =
    typeof value === 'string'
      ? value.replace(wholeTime, '$1Z')
      : Array.isArray(value)
        ? value.map(dropZeroMilliseconds)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, dropZeroMilliseconds(each)]))
          : value
  return written as Value // safe: only texts are replaced, by texts
}
