import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { npm, runNode } from './command.mjs'
import { root } from './paths.mjs'
import { readIfThere, unlessDone, workspaceFolders } from './stamp.mjs'

const shared = ['package-lock.json', 'tsconfig.json', 'tsconfig.base.json']

export function installPackages() {
  return unlessDone('install', {
    inputs: ['package-lock.json', 'package.json', ...workspaceFolders().map(manifestOf)],
    outputs: ['node_modules/.package-lock.json'],
    // Nothing we depend on needs an install script; the flag keeps it so. A NODE_ENV or an npm
    // setting of the machine must not leave out what builds the product.
    work: async () => {
      if (isInstalled()) return 'already there'
      await npm([
        'ci',
        '--loglevel=error',
        '--ignore-scripts',
        '--include=dev',
        '--include=optional',
        '--no-audit',
        '--no-fund',
      ])
    },
  })
}

export function compile() {
  const folders = workspaceFolders()
  return unlessDone('compile', {
    inputs: [
      ...shared,
      ...folders.flatMap(folder => [
        manifestOf(folder),
        `${folder}/tsconfig.json`,
        `${folder}/src`,
      ]),
    ],
    outputs: compiledFolders().map(folder => `${folder}/dist`),
    work: () => runNode([`${root}node_modules/typescript/bin/tsc`, '-b']).then(() => undefined),
  })
}

export function makePage() {
  return unlessDone('page', {
    inputs: [
      'package-lock.json',
      'packages/protocol/src',
      'apps/web/index.html',
      'apps/web/frame.html',
      'apps/web/review-app.html',
      'apps/web/vite.config.ts',
      'apps/web/vite.review-app.config.ts',
      'apps/web/src',
      'apps/web/public',
      'sample',
    ],
    outputs: [
      'apps/web/dist/index.html',
      'apps/web/dist/review-app.html',
      'apps/cli/dist/web/index.html',
      'apps/cli/dist/web/review-app.html',
    ],
    work: async () => {
      await viteBuild('apps/web')
      await viteBuild('apps/web', 'vite.review-app.config.ts')
      // Next to the bundle, so that a packed command includes the page.
      const page = `${root}apps/cli/dist/web`
      rmSync(`${page}-new`, { recursive: true, force: true })
      cpSync(`${root}apps/web/dist`, `${page}-new`, { recursive: true })
      rmSync(page, { recursive: true, force: true })
      renameSync(`${page}-new`, page)
    },
  })
}

const ONE_FILE = 'scripts/ensure/one-file.mjs'

const EVALUATOR = 'formula-evaluator.cjs'

/** The thread that computes formulas, with its library: one file that is loaded when there is something to compute. */
export function makeEvaluator() {
  return unlessDone('evaluator', {
    inputs: [
      'package-lock.json',
      'packages/engine/package.json',
      'packages/engine/src/formulas',
      'packages/engine/vite.evaluator.config.ts',
      ONE_FILE,
    ],
    outputs: [`packages/engine/dist/${EVALUATOR}`],
    work: () => viteBuild('packages/engine', 'vite.evaluator.config.ts'),
  })
}

const MCP_SDK = 'mcp-sdk.cjs'

/** The library that speaks MCP: one file that only `filewright mcp` and the route load. */
export function makeMcpSdk() {
  return unlessDone('mcp-sdk', {
    inputs: [
      'package-lock.json',
      'apps/mcp/package.json',
      'apps/mcp/src/protocol/sdk-main.ts',
      'apps/mcp/vite.sdk.config.ts',
      ONE_FILE,
    ],
    outputs: [`apps/mcp/dist/${MCP_SDK}`],
    work: () => viteBuild('apps/mcp', 'vite.sdk.config.ts'),
  })
}

const ACP_SDK = 'acp-sdk.cjs'

/** The library that speaks ACP: one file that only `filewright acp` loads. */
export function makeAcpSdk() {
  return unlessDone('acp-sdk', {
    inputs: [
      'package-lock.json',
      'apps/acp/package.json',
      'apps/acp/src/protocol/sdk-main.ts',
      'apps/acp/vite.sdk.config.ts',
      ONE_FILE,
    ],
    outputs: [`apps/acp/dist/${ACP_SDK}`],
    work: () => viteBuild('apps/acp', 'vite.sdk.config.ts'),
  })
}

export function makeCommand() {
  return unlessDone('command', {
    inputs: [
      'package-lock.json',
      ...workspaceFolders()
        .filter(folder => folder !== 'apps/web')
        .flatMap(folder => [manifestOf(folder), `${folder}/src`]),
      'apps/cli/vite.config.ts',
    ],
    outputs: [
      'apps/cli/dist/filewright.cjs',
      `apps/cli/dist/${EVALUATOR}`,
      `apps/cli/dist/${MCP_SDK}`,
      `apps/cli/dist/${ACP_SDK}`,
    ],
    work: async () => {
      await viteBuild('apps/cli')
      const parts = [
        `packages/engine/dist/${EVALUATOR}`,
        `apps/mcp/dist/${MCP_SDK}`,
        `apps/acp/dist/${ACP_SDK}`,
      ]
      for (const built of parts) {
        const copy = `${root}apps/cli/dist/${basename(built)}`
        cpSync(root + built, `${copy}.new`)
        renameSync(`${copy}.new`, copy)
      }
    },
  })
}

async function viteBuild(folder, config = 'vite.config.ts') {
  await runNode(
    [
      `${root}node_modules/vite/bin/vite.js`,
      'build',
      `${root}${folder}`,
      '--config',
      `${root}${folder}/${config}`,
    ],
    {
      // A test runner's or a developer's mode would change what is built.
      env: { NODE_ENV: 'production' },
    },
  )
}

/** True after a manual `npm install`: the packages that npm reports match the lock file. */
function isInstalled() {
  const there = readIfThere(`${root}node_modules/.package-lock.json`)
  // The link of our own command is dangling where npm made it for a file that was renamed since.
  if (!there || !existsSync(`${root}node_modules/.bin/filewright`)) return false
  const installed = JSON.parse(there).packages
  const wanted = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages
  return Object.entries(wanted).every(([path, asked]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    if (asked.link) return found?.resolved === asked.resolved && existsSync(root + path)
    if (!found) return asked.optional === true && !isForThisMachine(asked)
    return found.version === asked.version && found.integrity === asked.integrity
  })
}

/** npm leaves out the binaries of other platforms; it must not have left out ours. */
function isForThisMachine({ os, cpu, libc }) {
  const ours = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  return Boolean(
    os?.includes(process.platform) &&
      (cpu?.includes(process.arch) ?? true) &&
      (libc?.includes(ours) ?? true),
  )
}

/** The apps are only checked by tsc; vite makes what runs. */
function compiledFolders() {
  const { references } = JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8'))
  return references.map(({ path }) => path).filter(path => path.startsWith('packages/'))
}

function manifestOf(folder) {
  return `${folder}/package.json`
}
