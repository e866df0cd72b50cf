import { expect, test } from 'vitest'
import { checkoutWith, start } from './checkout.ts'

const server = `
import { endWithNpm } from './scripts/ensure/end-with-npm.mjs'
endWithNpm()
console.log('pid', process.pid)
setInterval(() => {}, 1000)
`

// A shell that has more to do stays between npm and node; one that has not replaces itself.
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
        await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
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
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
