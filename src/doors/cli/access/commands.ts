import type { ListedCommand } from '../frame/command.ts'

export const accessCommands: readonly ListedCommand[] = [
  {
    name: 'lines enable',
    summary: 'Allow an account to track a carrier that needs permission',
    load: async () => (await import('./lines-enable.ts')).linesEnable,
  },
  {
    name: 'lines disable',
    summary: 'Withdraw from an account the permission to track a carrier',
    load: async () => (await import('./lines-enable.ts')).linesDisable,
  },
  {
    name: 'limits list',
    summary: 'Show the rate limits of the settings, and the own limits of accounts',
    load: async () => (await import('./limits.ts')).limitsList,
  },
  {
    name: 'limits set',
    summary: 'Set a rate limit for one account, or remove it',
    load: async () => (await import('./limits.ts')).limitsSet,
  },
  {
    name: 'keys create',
    summary: 'Create an API key for an account',
    load: async () => (await import('./keys.ts')).keysCreate,
  },
  {
    name: 'keys list',
    summary: 'Show the API keys of an account, masked',
    load: async () => (await import('./keys.ts')).keysList,
  },
  {
    name: 'keys delete',
    summary: 'Delete an API key',
    load: async () => (await import('./keys.ts')).keysDelete,
  },
  {
    name: 'sign-in-link',
    summary: 'Print a link with which the first person signs in',
    load: async () => (await import('./sign-in-link.ts')).signInLink,
  },
  {
    name: 'users list',
    summary: 'Show who may sign in, and to which accounts',
    load: async () => (await import('./users.ts')).usersList,
  },
  {
    name: 'users reset-link',
    summary: 'Print a link with which a person chooses a new password',
    load: async () => (await import('./users.ts')).usersResetLink,
  },
  {
    name: 'oauth keys',
    summary: 'Show the signing keys of the authorization server',
    load: async () => (await import('./oauth.ts')).oauthKeys,
  },
  {
    name: 'oauth rotate-key',
    summary: 'Let the authorization server sign with a new key',
    load: async () => (await import('./oauth.ts')).oauthRotateKey,
  },
]
