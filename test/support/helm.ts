/**
 * Renders the chart by a real Helm: the one that a package for tests brings along, elsewhere the machine's. What it
 * renders is checked by the types of the API of Kubernetes.
 */

import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { parseAllDocuments } from 'yaml'
import { openPromise } from 'yauzl'

/** Helm 3.8.1 by itself assumes an older one. */
const kubernetes = '1.31.0'

export interface Helm {
  /** `values` are written over those of the chart. Rejects with what Helm says. */
  readonly render: (values: object) => Promise<Rendered>
  readonly lint: (values: object) => Promise<string>
  readonly close: () => void
}

export interface Rendered {
  readonly manifests: readonly Manifest[]
  readonly notes: string
}

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  // biome-ignore lint/suspicious/noExplicitAny: the compiler checks what each kind has, see `typeFaultsOf`
  readonly spec: any
}

/** Null where neither the package nor the machine has a Helm that runs here. */
export async function openHelm(): Promise<Helm | null> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-helm-'))
  const program = await findHelm(folder)
  if (program === null) return null
  const chart = join(folder, 'chart')
  cpSync('distribution/helm', chart, { recursive: true })
  showNotes(chart)
  let files = 0
  const run = async (args: readonly string[], values: object): Promise<string> => {
    files += 1
    const file = join(folder, `values-${files}.json`)
    writeFileSync(file, JSON.stringify(values))
    const { stdout } = await promisify(execFile)(program, [...args, '--values', file])
    return stdout
  }
  return {
    render: async (values) => {
      const all = parseAllDocuments(
        await run(['template', 'landfall', chart, '--kube-version', kubernetes], values),
      ).map((each) => each.toJS({ maxAliasCount: 0 }))
      const notes = all.find((each) => each.kind === 'ConfigMap').data.notes
      return { notes, manifests: all.filter((each) => each.kind !== 'ConfigMap') }
    },
    lint: (values) => run(['lint', 'distribution/helm', '--strict'], values),
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** `helm template` does not write the notes, so in the copy they are the text of a manifest. */
function showNotes(chart: string): void {
  const notes = readFileSync(join(chart, 'templates/NOTES.txt'), 'utf8')
  writeFileSync(join(chart, 'templates/_notes.tpl'), `{{- define "notes" -}}\n${notes}{{- end }}\n`)
  writeFileSync(
    join(chart, 'templates/notes.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: notes }\ndata:\n  notes: {{ include "notes" . | quote }}\n',
  )
}

async function findHelm(folder: string): Promise<string | null> {
  const program = join(folder, 'helm')
  if (process.platform === 'linux' && process.arch === 'x64') {
    const layer = import.meta.resolve('@aws-cdk/asset-kubectl-v20/lib/layer.zip')
    const zip = await openPromise(fileURLToPath(layer))
    for await (const entry of zip.eachEntry())
      if (entry.fileName === 'helm/helm')
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(program))
    chmodSync(program, 0o755)
    return program
  }
  try {
    execFileSync('helm', ['version'])
    return 'helm'
  } catch {
    return null
  }
}

const models = {
  Deployment: [Deployment, 'kubernetes-models/apps/v1/Deployment'],
  Job: [Job, 'kubernetes-models/batch/v1/Job'],
  Ingress: [Ingress, 'kubernetes-models/networking.k8s.io/v1/Ingress'],
  PodDisruptionBudget: [PodDisruptionBudget, 'kubernetes-models/policy/v1/PodDisruptionBudget'],
  Service: [Service, 'kubernetes-models/v1/Service'],
  ServiceMonitor: [ServiceMonitor, '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor'],
} as const
type Kind = keyof typeof models

/**
 * What the types of Kubernetes do not allow: a field that does not exist or is missing, or a value of another type. The
 * validators know formats besides, and the compiler knows fields that do not exist.
 */
export async function typeFaultsOf(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const faults = manifests.flatMap((manifest) => {
    const [Model] = models[manifest.kind as Kind]
    try {
      new Model(structuredClone(manifest) as never).validate()
      return []
    } catch (error) {
      return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`]
    }
  })
  return [...faults, ...(await compile(manifests))]
}

/** Compiles the manifests as values of their types. */
async function compile(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-manifests-'))
  const imports = Object.entries(models).map(([kind, [, from]]) => `import type { I${kind} } from '${from}'`)
  const values = manifests.map(
    (manifest, place) => `export const m${place}: I${manifest.kind} = ${JSON.stringify(manifest)}`,
  )
  writeFileSync(join(folder, 'manifests.ts'), [...imports, ...values].join('\n'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const options = '--noEmit --strict --skipLibCheck --module preserve --target esnext --types'.split(' ')
  const tsc = resolve('node_modules/typescript/bin/tsc')
  try {
    await promisify(execFile)(process.execPath, [tsc, ...options, '', 'manifests.ts'], { cwd: folder })
    return []
  } catch (error) {
    return (error as { readonly stdout: string }).stdout.trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
