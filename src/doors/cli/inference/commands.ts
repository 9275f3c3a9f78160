import type { ListedCommand } from '../frame/command.ts'

export const inferenceCommands: readonly ListedCommand[] = [
  {
    name: 'inference evaluate',
    summary: 'Score carrier inference on a file of known numbers',
    load: async () => (await import('./inference-evaluate.ts')).inferenceEvaluate,
  },
  {
    name: 'inference import',
    summary: 'Teach carrier inference from a file of known numbers',
    load: async () => (await import('./inference-import.ts')).inferenceImport,
  },
  {
    name: 'inference share',
    summary: 'Choose whether other accounts learn from an account',
    load: async () => (await import('./inference-share.ts')).inferenceShare,
  },
  {
    name: 'inference forget',
    summary: 'Delete everything that inference has learned from an account',
    load: async () => (await import('./inference-forget.ts')).inferenceForget,
  },
  {
    name: 'inference search',
    summary: 'Set how many carriers are asked for a number whose carrier is unknown',
    load: async () => (await import('./inference-search.ts')).inferenceSearch,
  },
]
