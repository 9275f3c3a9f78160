/** For what a press does: it runs, its result or refusal is said, and what is shown is read again. */

import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSay } from './said-line.tsx'

/** `said`: the sentence for a success, or how to make it of the answer. Resolves to whether it succeeded. */
export type Act = <Answer>(
  action: () => Promise<Answer>,
  said: string | ((answer: Answer) => string),
) => Promise<boolean>

export function useAct(): Act {
  const say = useSay()
  const queries = useQueryClient()
  return useCallback(
    async (action, said) => {
      try {
        const answer = await action()
        say(typeof said === 'string' ? said : said(answer))
        await queries.invalidateQueries()
        return true
      } catch (error) {
        say(error instanceof Error ? error.message : String(error))
        return false
      }
    },
    [say, queries],
  )
}
