// Servers that are asked by lines over named pipes, for the benches that compare ours with the MCP reference file server.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs, { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const PEER = '@modelcontextprotocol/server-filesystem@2026.8.31'
const ROOT = process.cwd()
export const BIN = join(ROOT, 'apps/cli/bin/filewright.cjs')

/** A text of this many characters, like code. */
export function textOf(size: number): string {
  let all = ''
  for (let i = 0; all.length < size; i++)
    all += `  const value_${i} = compute(${(i * 7919) % 99991}, "${i.toString(36)}");\n`
  return all.slice(0, size)
}

/** JSON lines in, JSON lines out. */
export interface Peer {
  ask(request: unknown): void
  /** The next answer; only the beginning and end of a long one. */
  answer(): string
  close(): void
}

export interface LineServer extends Peer {
  call(tool: string, args: unknown): void
}

let pipes = 0

/** `command` with a named pipe on either side, in the folder `work`. */
export function startPeer(
  work: string,
  command: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv },
): Peer {
  const names = [join(work, `in${++pipes}`), join(work, `out${pipes}`)] as const
  execFileSync('mkfifo', names)
  const held = names.map(name => fs.openSync(name, fs.constants.O_RDWR)) as [number, number] // so that `open` does not wait for the other end
  const child = spawn(process.execPath, command, { ...options, stdio: [...held, 'ignore'] })
  const [input, output] = [fs.openSync(names[0], 'w'), fs.openSync(names[1], 'r')]
  for (const fd of held) fs.closeSync(fd)
  return { ...linesOver(input, output), close: () => closePeer(child, [input, output]) }
}

function closePeer(child: ChildProcess, fds: readonly number[]): void {
  child.kill()
  for (const fd of fds) fs.closeSync(fd)
}

function linesOver(input: number, output: number): Pick<Peer, 'ask' | 'answer'> {
  const buffer = Buffer.allocUnsafeSlow(8 * 1024 * 1024)
  let [start, end] = [0, 0] // between them: received and not yet consumed
  return {
    ask(request) {
      const bytes = Buffer.from(`${JSON.stringify(request)}\n`)
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(input, bytes, at)
    },
    answer() {
      buffer.copyWithin(0, start, end)
      ;[start, end] = [0, end - start]
      let newline = buffer.subarray(0, end).indexOf(10)
      while (newline < 0) {
        const read = fs.readSync(output, buffer, end, buffer.length - end, null)
        newline = buffer.subarray(0, end + read).indexOf(10, end)
        end += read
      }
      start = newline + 1
      return toEnds(buffer.subarray(0, newline))
    },
  }
}

const SHOWN = 1000

function toEnds(line: Buffer): string {
  if (line.length <= 2 * SHOWN) return line.toString()
  return `${line.toString('utf8', 0, SHOWN)}…${line.toString('utf8', line.length - SHOWN)}`
}

/** The reference file server on a folder; npm installs it once. */
export function startReference(work: string, folder: string): LineServer {
  const cache = join(ROOT, '.filewright-cache/peers/mcp-filesystem')
  const bin = join(cache, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  if (!existsSync(bin)) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(cache, 'package.json'), '{"private":true}')
    execFileSync('npm', ['install', '--no-audit', '--no-fund', PEER], {
      cwd: cache,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return overMcp(startPeer(work, [bin, folder], {}))
}

/** Opens a session as a client of 2025 does; each call is a `tools/call`. */
export function overMcp(peer: Peer): LineServer {
  let id = 0
  const send = (method: string, params: unknown) =>
    peer.ask({ jsonrpc: '2.0', id: ++id, method, params })
  send('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  peer.answer()
  peer.ask({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return { ...peer, call: (tool, args) => send('tools/call', { name: tool, arguments: args }) }
}
