// The settings of the language model that may read documents; a group of the table in `settings.ts`.
import { choice, integer, optionalText, type Setting, secret, url } from './setting.ts'

export const modelSettings = {
  kind: choice(
    'LANDFALL_MODEL_API',
    ['openai', 'anthropic'],
    'openai',
    'Which API the server of the model has. openai: chat completions, as OpenAI, vLLM and Ollama have them. anthropic: the Messages API of Anthropic.',
  ),
  url: url(
    'LANDFALL_MODEL_URL',
    'none: no model reads documents',
    'Address of the server without the last part of the path: https://api.openai.com/v1, https://api.anthropic.com, http://127.0.0.1:11434/v1. It may be in a private network.',
  ),
  name: optionalText(
    'LANDFALL_MODEL_NAME',
    'needed with LANDFALL_MODEL_URL',
    'Name of the model, as its server calls it.',
  ),
  key: secret('LANDFALL_MODEL_KEY', 1, 'none', 'API key. It is sent only to LANDFALL_MODEL_URL.'),
  seconds: integer(
    'LANDFALL_MODEL_SECONDS',
    { fallback: 60, min: 1, max: 300 },
    'Longest time for one answer of the model.',
  ),
  pagesMax: integer(
    'LANDFALL_MODEL_PAGES',
    { fallback: 10, min: 1, max: 200 },
    'How many pages of a document are sent to the model, counted from the first.',
  ),
  charactersMax: integer(
    'LANDFALL_MODEL_CHARACTERS',
    { fallback: 40_000, min: 1_000, max: 400_000 },
    'How many characters of a document are sent to the model, counted from the first.',
  ),
  tokensMax: integer(
    'LANDFALL_MODEL_TOKENS',
    { fallback: 8_000, min: 256, max: 64_000 },
    'Most tokens in an answer of the model.',
  ),
} as const satisfies Record<string, Setting<unknown>>
