import { readFileSync } from 'node:fs'

const pollMs = 300

/**
 * Ends this process when the npm that started it is gone. A SIGTERM to npm alone does not reach us through the shell
 * between (npm → sh → node), and a leftover process would hold the port.
 */
export function endWithNpm(stop = () => process.exit(143)) {
  if (!process.env.npm_execpath) return
  const parent = process.ppid
  const npm = parentBehindShell(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
    clearInterval(timer)
    stop()
  }, pollMs)
  timer.unref()
}

/**
 * The process behind the shell that npm runs a script with, or undefined where there is none
 * (dash replaces itself) and where /proc is not there to ask.
 */
function parentBehindShell(pid) {
  const command = read(`/proc/${pid}/cmdline`)?.split('\0') ?? []
  return command[1] === '-c' ? parentOf(pid) : undefined
}

function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`)
  // The name in brackets may hold spaces; the parent is the second field after it.
  return stat && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
