/** `landfall sign-in-link`: prints the sign-in link of the first start again. */

import { makeSignInLink } from '../../../service/people/users/sign-in-link.ts'
import { command } from '../frame/command.ts'

export const signInLink = command({
  name: 'sign-in-link',
  summary: 'Print a link with which the first person signs in',
  about:
    'Good once and for ten minutes, and the newest one alone; only while nobody has signed up and where this machine alone can reach the server. Whoever opens it becomes the owner of the first account.',
  run: async ({ shell }) => {
    shell.print(await makeSignInLink(await shell.openService()))
    return 0
  },
})
