export const applyEntry = async (..._: unknown[]): Promise<{ isAsRecorded: boolean }> => {
  throw new Error('stub')
}
export const putBackStood = applyEntry
export const takeOver = async (..._: unknown[]): Promise<boolean> => {
  throw new Error('stub')
}
