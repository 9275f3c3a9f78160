// A release is made of a tree that is ready for it, and of no other. Each test has a git repository of its own.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findDisagreements, readVersion, versionFiles } from '../../tools/release/places.ts'
import { compareVersions, parseVersion } from '../../tools/release/version-order.ts'

const root = join(import.meta.dirname, '../..')
const current = readVersion(root)
const [major = 0, minor = 0] = parseVersion(current) ?? []
const next = `${major}.${minor + 1}.0`

interface Repository {
  readonly folder: string
  readonly git: (...args: readonly string[]) => string
  readonly release: (...args: readonly string[]) => { code: number | null; out: string; err: string }
  readonly read: (file: string) => string
  readonly edit: (file: string, from: string | RegExp, to: string) => void
  readonly commit: () => void
}

/** The files of this checkout that name the version, with a short list of changes, committed. */
function openRepository(t: TestContext): Repository {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-release-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of versionFiles) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n- Second.\n- First.\n\n## 0.0.1 (2020-02-03)\n- Begun.\n',
  )
  const who = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.example',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.example',
  }
  const env = { ...process.env, ...who, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim()
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const commit = (): void => {
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Change')
  }
  git('init', '--quiet')
  commit()
  return {
    folder,
    git,
    read,
    commit,
    release: (...args) => {
      const told = spawnSync(process.execPath, [join(root, 'tools/release.ts'), ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
      })
      return { code: told.status, out: told.stdout, err: told.stderr }
    },
    edit: (file, from, to) => writeFileSync(join(folder, file), read(file).replace(from, to)),
  }
}

test('every file that contains the version has the version of package.json', () => {
  assert.deepEqual(findDisagreements(root), [])
})

test('a release writes the version to every file and moves the notes to it, but makes no commit or tag', (t) => {
  const there = openRepository(t)
  const head = there.git('rev-parse', 'HEAD')
  const { code, out } = there.release(next, '--day', '2026-03-04')
  assert.deepEqual([code, out], [0, '- Second.\n- First.\n'])
  assert.equal(
    there.read('CHANGELOG.md'),
    `# Changelog\n\n## Unreleased\n\n## ${next} (2026-03-04)\n- Second.\n- First.\n\n## 0.0.1 (2020-02-03)\n- Begun.\n`,
  )
  assert.equal(readVersion(there.folder), next)
  assert.deepEqual(findDisagreements(there.folder), [])
  assert.deepEqual(there.git('diff', '--name-only').split('\n').sort(), ['CHANGELOG.md', ...versionFiles].sort())
  assert.equal(there.git('rev-parse', 'HEAD'), head)
  assert.equal(there.git('tag'), '')
})

test('with --tag there is one commit and an annotated tag with the notes, and the tree is clean', (t) => {
  const there = openRepository(t)
  assert.equal(there.release(next, '--tag').code, 0)
  assert.equal(there.git('status', '--porcelain'), '')
  assert.equal(there.git('log', '-1', '--format=%s'), `Release ${next}`)
  assert.equal(there.git('cat-file', '-t', `v${next}`), 'tag')
  assert.match(there.git('tag', '-l', '--format=%(contents)', `v${next}`), /^Landfall [\d.]+\n\n- Second\.\n- First\.$/)
  const again = there.release(next)
  assert.equal(again.code, 1)
  assert.match(again.err, /nothing under Unreleased/)
  assert.match(again.err, /is released already/)
  assert.match(again.err, /There is a tag/)
})

test('the version that the checkout already has can be released if it was not released before', (t) => {
  const there = openRepository(t)
  assert.equal(there.release(current, '--tag').code, 0)
  assert.equal(there.git('tag'), `v${current}`)
})

test('a refused release reports all faults of the checkout at once, and writes nothing', (t) => {
  const there = openRepository(t)
  assert.equal(there.release('--check').code, 0)
  there.edit('CHANGELOG.md', '- Second.\n- First.\n', '')
  there.edit('sdk/python/pyproject.toml', /^version = .*/m, 'version = "9.9.9"')
  there.edit('docs/openapi.json', '"title":"Landfall","version":', '"title":"Landfall","edition":')
  const before = there.git('diff')
  for (const words of [['--check'], [next], [next, '--tag']]) {
    const { code, err } = there.release(...words)
    assert.equal(code, 1)
    assert.match(err, /changes that are not committed:\n.*CHANGELOG/s)
    assert.match(err, /nothing under Unreleased/)
    assert.match(err, new RegExp(`sdk/python/pyproject.toml names 9\\.9\\.9, package.json ${current}`))
    assert.match(err, /docs\/openapi.json names no version/)
  }
  assert.equal(there.git('diff'), before)
  assert.equal(there.git('tag'), '')
})

test('refuses a version that is not greater than the released ones or is lower than the current one', (t) => {
  const there = openRepository(t)
  there.edit('CHANGELOG.md', '0.0.1 (', `${major}.${minor + 3}.0 (`)
  there.commit()
  assert.match(there.release(next).err, /is released already, and .* is not greater/)
  assert.match(there.release('0.0.2').err, /is before it/)
  assert.equal(there.git('status', '--porcelain'), '')
})

test('the release command names wrong arguments and exits with 2', (t) => {
  const there = openRepository(t)
  for (const [words, told] of [
    [[], /Which version/],
    [['1.2'], /1\.2 is no version/],
    [['v1.2.3'], /is no version/],
    [['1.2.3', '1.2.4'], /too much/],
    [['--check', '--tag'], /makes no version and no tag/],
    [['1.2.3', '--day', '4 May'], /is no day/],
  ] as const) {
    const { code, err } = there.release(...words)
    assert.equal(code, 2, words.join(' '))
    assert.match(err, told)
  }
  assert.match(there.release('--help').out, /^Usage: npm run release/)
})

test('the notes of the last version, or of a named one, are printed', (t) => {
  const there = openRepository(t)
  assert.deepEqual(there.release('--notes').out, '- Begun.\n')
  there.release(next, '--tag')
  assert.deepEqual(there.release('--notes').out, '- Second.\n- First.\n')
  assert.deepEqual(there.release('--notes', '0.0.1').out, '- Begun.\n')
  assert.equal(there.release('--notes', '7.0.0').code, 1)
})

test('versions are ordered by their numbers, not by their letters', () => {
  assert.ok(compareVersions('0.10.0', '0.9.1') > 0)
  assert.ok(compareVersions('1.0.0', '0.99.99') > 0)
  assert.equal(compareVersions('1.2.3', '1.2.3'), 0)
  for (const none of ['1.02.3', '1.2', '1.2.3-rc.1', '', '1.2.3.4']) assert.equal(parseVersion(none), null)
})
