// The settings about traces; a group of the table in `settings.ts`. They have the names of the OpenTelemetry
// specification, so that an operator sets them as for any other program.
import { choice, number, type Setting, text, url } from './setting.ts'

/** `key=value,key2=value2`, as the specification has it (W3C Baggage): values may be percent-encoded. */
function pairs(variable: string, about: string): Setting<Readonly<Record<string, string>>> {
  return {
    variable,
    fallback: {},
    otherwise: 'none',
    accepts: 'key=value, several separated by commas; values may be percent-encoded',
    about,
    parse: readPairs,
  }
}

function readPairs(text: string): Readonly<Record<string, string>> | undefined {
  const read = text.split(',').map((pair) => {
    const [, key = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair) ?? []
    try {
      return [key, decodeURIComponent(value)] as const
    } catch {
      return ['', ''] as const
    }
  })
  return read.every(([key]) => key !== '') ? Object.fromEntries(read) : undefined
}

export const traceSettings = {
  endpoint: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'none: there are no traces',
    'Address of a collector that takes OTLP over HTTP. Traces are on when it is set, and are sent to `/v1/traces` below it.',
  ),
  headers: pairs('OTEL_EXPORTER_OTLP_HEADERS', 'Headers of the requests to the collector, such as its key. A secret.'),
  protocol: choice(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    ['http/protobuf', 'http/json'],
    'http/protobuf',
    'How traces are written for the collector.',
  ),
  exporter: choice(
    'OTEL_TRACES_EXPORTER',
    ['otlp', 'none'],
    'otlp',
    'none: no traces, also where a collector is named.',
  ),
  sdkDisabled: choice(
    'OTEL_SDK_DISABLED',
    ['true', 'false'],
    'false',
    'true: no traces, also where a collector is named.',
  ),
  serviceName: text('OTEL_SERVICE_NAME', 'landfall', 'Name of this service in traces.'),
  resource: pairs(
    'OTEL_RESOURCE_ATTRIBUTES',
    'What else traces say about this process, such as deployment.environment.name=production.',
  ),
  sampler: choice(
    'OTEL_TRACES_SAMPLER',
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    'parentbased_always_on',
    'Which traces are recorded. parentbased: as the caller says in `traceparent`; without it, by the rest of the name. traceidratio: the share of OTEL_TRACES_SAMPLER_ARG.',
  ),
  samplerArg: number(
    'OTEL_TRACES_SAMPLER_ARG',
    { fallback: 1, min: 0, max: 1 },
    'Share of the traces that are recorded, for the samplers with traceidratio.',
  ),
} as const satisfies Record<string, Setting<unknown>>
