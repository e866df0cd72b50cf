import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkoutWith, start } from './checkout.ts'

const server = `
import { endWithNpm } from './scripts/ensure/end-with-npm.mjs'
endWithNpm()
console.log('pid', process.pid)
setInterval(() => {}, 1000)
`

// A shell that has more to do stays between npm and node; otherwise it replaces itself.
const scripts = {
  'behind a shell': 'node server.mjs; true',
  'straight under npm': 'node server.mjs',
}

for (const [where, script] of Object.entries(scripts)) {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test.skipIf(process.platform === 'win32')(
      `a script ${where} ends when npm alone gets ${signal}`,
      async () => {
        const folder = checkoutWith({
          'package.json': JSON.stringify({
            private: true,
            type: 'module',
            scripts: { start: script },
          }),
          'server.mjs': server,
        })
        const npm = start('npm', ['start'], folder)
        const pid = await pidSaidBy(npm)
        npm.kill(signal)
        await expect.poll(() => isAlive(pid)).toBe(false)
      },
    )
  }
}

function pidSaidBy(npm: ReturnType<typeof start>): Promise<number> {
  let said = ''
  return new Promise(resolve => {
    npm.stdout?.on('data', chunk => {
      said += chunk
      const pid = said.match(/^pid (\d+)$/m)?.[1]
      if (pid) resolve(Number(pid))
    })
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/** A zombie counts as ended: only the machine's first process reaps an orphan, and it may never do so. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // reaped by now, or a system without /proc
  }
}
