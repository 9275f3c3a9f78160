// The settings of the language model that may read documents; a group of the table in `settings.ts`.
import { choice, optionalText, type Setting, secret, url, whole } from './setting.ts'

export const modelSettings = {
  kind: choice(
    'LANDFALL_MODEL_API',
    ['openai', 'anthropic'],
    'openai',
    'How the server of the model speaks: chat completions as OpenAI, vLLM and Ollama have them, or the Messages API of Anthropic.',
  ),
  url: url(
    'LANDFALL_MODEL_URL',
    'none: no model reads documents',
    'Where the server is reached, without the last part: https://api.openai.com/v1, https://api.anthropic.com, http://127.0.0.1:11434/v1. It may be at an address that is not public.',
  ),
  name: optionalText(
    'LANDFALL_MODEL_NAME',
    'needed with LANDFALL_MODEL_URL',
    'Name of the model, as its server calls it.',
  ),
  key: secret('LANDFALL_MODEL_KEY', 1, 'none', 'API key. It is sent to LANDFALL_MODEL_URL alone.'),
  seconds: whole(
    'LANDFALL_MODEL_SECONDS',
    { fallback: 60, min: 1, max: 300 },
    'Longest time that one question to the model may take.',
  ),
  pagesMax: whole(
    'LANDFALL_MODEL_PAGES',
    { fallback: 10, min: 1, max: 200 },
    'Pages of a document that are shown to the model, from the first.',
  ),
  charactersMax: whole(
    'LANDFALL_MODEL_CHARACTERS',
    { fallback: 40_000, min: 1_000, max: 400_000 },
    'Characters of a document that are shown to the model, from the first.',
  ),
  tokensMax: whole(
    'LANDFALL_MODEL_TOKENS',
    { fallback: 8_000, min: 256, max: 64_000 },
    'Tokens that an answer of the model may have.',
  ),
} as const satisfies Record<string, Setting<unknown>>
