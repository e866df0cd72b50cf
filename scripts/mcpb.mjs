// node scripts/mcpb.mjs [PLATFORM…]: makes filewright-PLATFORM.mcpb in apps/mcp/dist for linux-x64, darwin-arm64, win32-x64
// and the like: the packed command with its packages for that platform, which a desktop client installs by a double click.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './ensure/paths.mjs'

const TOOL = '@anthropic-ai/mcpb@2.1.2'
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const platforms = process.argv.slice(2)
if (platforms.length === 0) platforms.push(`${process.platform}-${process.arch}`)

const work = mkdtempSync(join(tmpdir(), 'filewright-mcpb-'))
try {
  const packed = npm(['pack', '--json', '--pack-destination', work], join(root, 'apps/cli'))
  const { filename } = JSON.parse(packed)[0]
  for (const platform of platforms) console.log(bundle(platform, join(work, filename)))
} finally {
  rmSync(work, { recursive: true, force: true })
}

function bundle(platform, archive) {
  const [os, cpu] = platform.split('-')
  const folder = join(work, platform)
  const server = join(folder, 'server')
  mkdirSync(server, { recursive: true })
  writeFileSync(join(server, 'package.json'), '{"private":true}')
  npm(
    [
      'install',
      archive,
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `--os=${os}`,
      `--cpu=${cpu}`,
    ],
    server,
  )
  const manifest = JSON.parse(readFileSync(join(root, 'apps/mcp/registry/manifest.json'), 'utf8'))
  manifest.compatibility.platforms = [os]
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const out = join(root, 'apps/mcp/dist', `filewright-${platform}.mcpb`)
  npm(['exec', '--yes', TOOL, '--', 'validate', join(folder, 'manifest.json')], work)
  npm(['exec', '--yes', TOOL, '--', 'pack', folder, out], work)
  return out
}

function npm(args, cwd) {
  return execFileSync(NPM, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
