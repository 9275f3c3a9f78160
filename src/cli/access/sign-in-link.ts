/** `landfall sign-in-link`: prints the sign-in link of the first start again. */

import { makeSignInLink } from '../../modules/sessions/sign-in-link.ts'
import { defineCommand } from '../framework/command.ts'

export const signInLink = defineCommand({
  about:
    'The link works once, for ten minutes, until a newer link is made. It works only before the first person has signed up, and only if the server can be reached from this machine only. The person who opens it becomes the owner of the first account.',
  run: async ({ shell }) => {
    shell.print(await makeSignInLink(await shell.openService()))
    return 0
  },
})
