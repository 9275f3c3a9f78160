// The chart for Kubernetes: a real Helm renders it, the types of the Kubernetes API check the result, and Landfall
// accepts every setting and command of the pods. There is no cluster here.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { commands } from '../src/cli/commands.ts'
import { readConfig } from '../src/platform/config.ts'
import { settings } from '../src/platform/settings.ts'
import { type Helm, type Manifest, openHelm, type Rendered, typeFaultsOf } from './support/helm.ts'

const least = { existingSecret: 'keys', persistence: { ephemeral: true } }
const most = {
  image: { repository: 'registry.example.com/landfall', tag: '1.2.3', pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  existingSecret: 'keys',
  settings: {
    LANDFALL_SANDBOX: 'off',
    LANDFALL_TRUSTED_PROXIES: '10.0.0.0/8',
    LANDFALL_WORKERS: '4',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  },
  secretSettings: { LANDFALL_SMTP_URL: { name: 'mail', key: 'url' } },
  migration: { existingSecret: 'owner' },
  carriers: { existingSecret: 'carriers' },
  persistence: { existingClaim: 'shared' },
  service: { annotations: { a: 'b' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'track.example.com',
    tlsSecret: 'tls',
    annotations: { a: 'b' },
  },
  metrics: {
    existingSecret: 'metrics',
    serviceMonitor: { enabled: true, interval: '1m', labels: { release: 'prometheus' } },
  },
  serviceAccountName: 'landfall',
  podAnnotations: { a: 'b' },
  podLabels: { c: 'd' },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
  ],
}
const inBucket = { existingSecret: 'keys', settings: { LANDFALL_FILES: 's3' }, migration: { enabled: false } }

let helm: Helm | null
const rendered: Rendered[] = []
before(async () => {
  helm = await openHelm()
  if (helm !== null) for (const values of [least, most, inBucket]) rendered.push(await helm.render(values))
})
after(() => helm?.close())
const skip = () => helm === null && 'no helm runs on this machine'

/** Every object with a pod in it, and the pod. */
const podsOf = ({ manifests }: Rendered) =>
  manifests.flatMap((each) =>
    each.kind === 'Deployment' || each.kind === 'Job' ? [{ of: each, pod: each.spec.template }] : [],
  )
const containersOf = (all: Rendered) => podsOf(all).map(({ pod }) => pod.spec.containers[0])
const find = ({ manifests }: Rendered, kind: string, end = '') =>
  manifests.find((each) => each.kind === kind && each.metadata.name.endsWith(end))

test('the chart renders to valid Kubernetes objects, with the fewest and with the most values', async (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  const kinds = rendered.map(({ manifests }) => manifests.map(({ kind }) => kind).sort())
  const always = ['Deployment', 'Deployment', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service', 'Service']
  assert.deepEqual(kinds, [[...always, 'Job'].sort(), [...always, 'Job', 'Ingress', 'ServiceMonitor'].sort(), always])
  assert.deepEqual(await typeFaultsOf(rendered.flatMap(({ manifests }) => manifests)), [])
  assert.match((await helm?.lint(least)) ?? '', /0 chart\(s\) failed/)
})

test('the Kubernetes schema check detects an unknown field, a missing field and a wrong type', async (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  const plant = (change: (spec: Manifest['spec']) => void): Promise<readonly string[]> => {
    const made = structuredClone(rendered[0]?.manifests.find(({ kind }) => kind === 'Deployment')) as Manifest
    change(made.spec)
    return typeFaultsOf([made])
  }
  const unknown = await plant((spec) => {
    spec.template.spec.containers[0].livenessprobe = {}
  })
  assert.match(unknown.join('\n'), /livenessprobe/)
  const missing = await plant((spec) => {
    delete spec.selector
  })
  assert.match(missing.join('\n'), /selector/)
  const wrong = await plant((spec) => {
    spec.replicas = 'two'
  })
  assert.match(wrong.join('\n'), /replicas/)
})

test('each pod has only existing settings and an existing command', (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  for (const all of rendered) {
    for (const { args, env } of containersOf(all)) {
      const names = env.map(({ name }: { name: string }) => name)
      assert.equal(new Set(names).size, names.length)
      const given = env.map(({ name, value }: { name: string; value?: string }) => [name, value ?? fill(name)])
      const config = readConfig(Object.fromEntries(given))
      assert.equal(config.data.folder, '/var/lib/landfall')
      if (args[0] === 'start') assert.equal(config.metrics.port, 9090)
      else
        assert.ok(
          commands.some(({ name }) => name === args.join(' ')),
          args.join(' '),
        )
    }
  }
  const roles = containersOf(rendered[1] as Rendered).map(({ name, env }) => [
    name,
    env.find((each: { name: string }) => each.name === 'LANDFALL_ROLE')?.value,
  ])
  assert.deepEqual(
    new Map(roles as [string, string][]),
    new Map([
      ['api', 'api'],
      ['worker', 'worker'],
      ['migration', undefined],
    ]),
  )
})

/** A value for a setting that comes from a Secret. */
function fill(name: string): string {
  return name.endsWith('DATABASE_URL')
    ? 'postgresql://a:b@db/landfall'
    : name.endsWith('_URL')
      ? 'smtps://a:b@mail.example.com'
      : 'x'.repeat(40)
}

test('only the migration job has the role that owns the tables, and it runs before installation and upgrade', (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  const knowing = containersOf(rendered[1] as Rendered).filter(({ env }) =>
    env.some(({ name }: { name: string }) => name === 'LANDFALL_MIGRATION_DATABASE_URL'),
  )
  assert.deepEqual(
    knowing.map(({ name }) => name),
    ['migration'],
  )
  const job = find(rendered[1] as Rendered, 'Job')
  assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  assert.equal(job?.spec.template.spec.restartPolicy, 'Never')
})

test('pods have no privileges and a read-only file system', (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  for (const all of rendered) {
    for (const { pod } of podsOf(all)) {
      const { securityContext, containers, automountServiceAccountToken, enableServiceLinks } = pod.spec
      assert.deepEqual([automountServiceAccountToken, enableServiceLinks], [false, false])
      assert.equal(securityContext.runAsNonRoot, true)
      assert.ok(securityContext.runAsUser > 0)
      assert.equal(securityContext.seccompProfile.type, 'RuntimeDefault')
      for (const container of containers) {
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.ok(container.resources.requests.memory && container.resources.limits.memory)
        const paths = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
        // The folders that the image declares as writable.
        for (const folder of ['/var/lib/landfall', '/var/cache/landfall', '/tmp'])
          assert.ok(paths.includes(folder), folder)
      }
    }
  }
})

test('selectors match their pods, ports and volumes have existing names, and probes use existing addresses', (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
  for (const all of rendered) {
    const pods = podsOf(all)
    const isIn = (some: object, labels: Readonly<Record<string, string>>) =>
      Object.entries(some).every(([name, value]) => labels[name] === value)
    const portsOf = (selector: object): readonly string[] =>
      pods
        .filter(({ pod }) => isIn(selector, pod.metadata.labels))
        .flatMap(({ pod }) => pod.spec.containers[0].ports ?? [])
        .map(({ name }: { name: string }) => name)
    for (const { kind, spec } of all.manifests) {
      if (kind === 'Service') {
        assert.ok(portsOf(spec.selector).length > 0)
        for (const { targetPort } of spec.ports) assert.ok(portsOf(spec.selector).includes(targetPort))
      }
      if (kind === 'Deployment') assert.ok(isIn(spec.selector.matchLabels, spec.template.metadata.labels))
      if (kind === 'PodDisruptionBudget')
        assert.equal(pods.filter(({ pod }) => isIn(spec.selector.matchLabels, pod.metadata.labels)).length, 1)
    }
    for (const { pod } of pods) {
      const [{ ports = [], volumeMounts, ...container }] = pod.spec.containers
      const volumes = pod.spec.volumes.map(({ name }: { name: string }) => name)
      for (const { name } of volumeMounts) assert.ok(volumes.includes(name), name)
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const asked = container[probe]?.httpGet
        if (asked === undefined) continue
        assert.ok(paths[asked.path] !== undefined, asked.path)
        assert.ok(ports.some(({ name }: { name: string }) => name === asked.port))
      }
    }
  }
  const { spec } = find(rendered[1] as Rendered, 'Ingress') as Manifest
  const { name, port } = spec.rules[0].http.paths[0].backend.service
  const service = (rendered[1] as Rendered).manifests.find(
    (each) => each.kind === 'Service' && each.metadata.name === name,
  )
  assert.ok(service?.spec.ports.some((each: { name: string }) => each.name === port.name))
  const monitor = find(rendered[1] as Rendered, 'ServiceMonitor')
  const watched = (rendered[1] as Rendered).manifests.filter(
    (each) =>
      each.kind === 'Service' &&
      Object.entries(monitor?.spec.selector.matchLabels).every(
        ([label, value]) => (each.metadata as { labels?: Record<string, unknown> }).labels?.[label] === value,
      ),
  )
  assert.deepEqual(
    watched.map(({ metadata }) => metadata.name),
    ['landfall-operations'],
  )
})

test('the chart refuses invalid values and names the wrong value', async (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ persistence: { ephemeral: true } }, /existingSecret is needed/],
    [{ existingSecret: 'keys' }, /Where do documents go\?/],
    [{ ...least, ingress: { enabled: true } }, /ingress\.host is needed/],
    [{ ...least, ingrss: {} }, /ingrss/],
    [{ ...least, existingSecret: 'Not_A_Name' }, /existingSecret/],
    [{ ...least, settings: { LANDFALL_PORT: '80' } }, /LANDFALL_PORT/],
    [{ ...least, settings: { LANDFALL_SECRET: 'hush' } }, /LANDFALL_SECRET/],
    [{ ...least, settings: { LANDFALL_WORKERS: 8 } }, /LANDFALL_WORKERS/],
    [{ ...least, api: { replicas: -1 } }, /replicas/],
    [{ ...least, metrics: { serviceMonitor: { interval: 'often' } } }, /interval/],
  ]
  for (const [values, says] of wrong)
    await assert.rejects(helm?.render(values) ?? Promise.resolve(), says, JSON.stringify(values))
})

test('a secret among the plain settings is refused, and every other setting is accepted or set by the chart', () => {
  const schema = JSON.parse(readFileSync('distribution/helm/values.schema.json', 'utf8'))
  const isTaken = new Ajv({ allowUnionTypes: true }).compile(schema)
  const byChart: readonly string[] = schema.definitions.setting.not.enum
  const all = Object.values(settings).flatMap((group) => Object.values(group))
  for (const name of byChart)
    assert.ok(
      all.some(({ variable }) => variable === name),
      name,
    )
  for (const { variable, accepts, about } of all) {
    // `secret`, a URL with a password, headers.
    const isSecret = /or more characters$|user:password@/.test(accepts) || about.includes('A secret.')
    const isOurs = byChart.includes(variable) || ['DATABASE_URL', 'PG_BIN'].includes(variable)
    assert.equal(isTaken({ settings: { [variable]: 'x' } }), !isSecret && !isOurs, variable)
    assert.equal(isTaken({ secretSettings: { [variable]: { name: 'a', key: 'b' } } }), !isOurs, variable)
  }
})

test('the notes after installation name only existing commands', (t) => {
  if (skip() !== false) return t.skip(String(skip()))
  const [first, second] = rendered
  for (const { notes } of rendered) {
    const [, said = ''] = /\.bin\/landfall ([a-z]+ [a-z]+)/.exec(notes) ?? []
    assert.ok(
      commands.some(({ name }) => name === said),
      said,
    )
  }
  assert.match(first?.notes ?? '', /port-forward service\/landfall 3000:80/)
  assert.match(first?.notes ?? '', /ephemeral is true/)
  assert.match(second?.notes ?? '', /at https:\/\/track\.example\.com\./)
  assert.doesNotMatch(second?.notes ?? '', /not set/)
})

test('chart and program have one version, the values fit their schema, and the page of the chart is correct', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const chart = parse(readFileSync('distribution/helm/Chart.yaml', 'utf8'))
  assert.deepEqual([chart.version, chart.appVersion], [version, version])
  const schema = JSON.parse(readFileSync('distribution/helm/values.schema.json', 'utf8'))
  const values: Readonly<Record<string, unknown>> = parse(readFileSync('distribution/helm/values.yaml', 'utf8'))
  const isTaken = new Ajv({ allowUnionTypes: true }).compile(schema)
  assert.ok(isTaken(values), JSON.stringify(isTaken.errors))
  assert.deepEqual(
    Object.keys(schema.properties).filter((name) => name !== 'global' && !(name in values)),
    [],
  )
  const page = readFileSync('distribution/helm/README.md', 'utf8')
  const [, given = ''] = /```yaml\n# my-values\.yaml\n([^`]*)```/.exec(page) ?? []
  assert.ok(isTaken(parse(given)), JSON.stringify(isTaken.errors))
  const known = Object.values(settings).flatMap((group) =>
    Object.values(group).map(({ variable }: { readonly variable: string }) => variable),
  )
  for (const [name] of page.matchAll(/\b(?:LANDFALL|OTEL)_[A-Z0-9_]+\b/g)) assert.ok(known.includes(name), name)
})
