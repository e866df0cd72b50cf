import type { ChildProcess } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { finished, type Sandbox, sandbox } from '../cli.ts'
import { ownPort } from '../own-port.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'
import { verifies } from '../verifies.ts'

function stopAtEnd(child: ChildProcess): ChildProcess {
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A server with its own state and folder. */
async function serve(box: Sandbox, port = '0') {
  const child = stopAtEnd(box.start(['serve', '--port', port]))
  const url = new URL(await untilSays(child, PAGE_ADDRESS))
  return { child, origin: url.origin, token: url.searchParams.get('token')!, port: url.port }
}

/** What a face of the server asks: any route of the API. */
function facing({ origin, token }: { origin: string; token: string }) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is answered
    return (await response.json()) as any
  }
}

verifies(
  'CONTRACT §9 attach',
  'a folder attached elsewhere is read, changed and approved through the server, over its restart',
  async () => {
    const far = sandbox({ 'server.txt': 'of the server\n' })
    const near = sandbox({ 'src/a.txt': 'one\ntwo\n' })
    const server = await serve(far, String(await ownPort()))
    const ask = facing(server)
    const attaching = stopAtEnd(
      near.start([
        ...['attach', '-C', near.dir, '--review-there'],
        ...['--server', server.origin, '--token', server.token],
      ]),
    )
    const workspaceId = (await untilSays(attaching, /as ws_\w+/)).slice(3)
    const workspace = `/workspaces/${workspaceId}`
    const { sessionId } = await ask('POST', `${workspace}/sessions`, {})
    const call = (tool: string, args: unknown, approve = 'ask') =>
      ask('POST', `${workspace}/sessions/${sessionId}/calls`, { tool, arguments: args, approve })

    const read = await call('workspace_read_file', { path: 'SRC/a.txt' })
    expect(read.file).toMatchObject({ path: 'src/a.txt', content: 'one\ntwo\n' })
    const changes = [
      { operation: 'delete', startLine: 1, endLine: 1, expectedOriginalLines: ['one'] },
    ]
    const pending = await call('workspace_write_patch', {
      files: [{ docPath: 'src/a.txt', originalSha256: read.file.version, changes }],
    })
    expect(pending).toMatchObject({ pending: true })
    expect(near.read('src/a.txt')).toBe('one\ntwo\n')
    const approved = await ask('POST', `${workspace}/approvals/${pending.approvalId}`, {
      decision: 'approved',
      by: 'a person at the server',
    })
    expect(approved.outcome.outcome.envelope).toMatchObject({ success: true })
    expect(near.read('src/a.txt')).toBe('two\n')
    await call('write_text_file', { path: 'drafted.txt', content: 'd\n' })
    expect(near.exists('drafted.txt')).toBe(false)
    expect(await ask('POST', `${workspace}/publish`, {})).toMatchObject({
      files: [{ path: 'drafted.txt' }],
    })
    expect(near.read('drafted.txt')).toBe('d\n')
    expect([far.exists('src'), far.exists('drafted.txt')]).toEqual([false, false])

    const ended = finished(server.child)
    server.child.kill('SIGTERM')
    await untilSays(attaching, /Lost http/)
    await ended // it holds its port until then
    const isBack = untilSays(attaching, /is back/)
    const again = await serve(far, server.port)
    await isBack
    expect(again.token).toBe(server.token)
    const late = await call('workspace_create_file', { path: 'late.txt', content: 'l' }, 'all')
    expect(late).toMatchObject({ pending: true }) // what the server allows counts for nothing
    const decision = { decision: 'approved', by: 'a person at the server', remember: 'always' }
    await ask('POST', `${workspace}/approvals/${late.approvalId}`, decision)
    expect(await ask('GET', `${workspace}/rules`)).toEqual([])
    expect(near.read('late.txt')).toBe('l')
    attaching.kill('SIGTERM')
    const { code, stdout } = await finished(attaching)
    expect([code, stdout]).toEqual([0, ''])
  },
)

verifies(
  'CONTRACT §9 attach token',
  'a wrong token, no token, a wrong address and a server that is away are each one sentence',
  async () => {
    const far = sandbox()
    const near = sandbox({ 'a.txt': 'a' })
    const { origin, token, child } = await serve(far)
    const attach = (...more: string[]) => near.run(['attach', '-C', near.dir, ...more])
    const wrong = await attach('--server', origin, '--token', 'wrong')
    expect(wrong).toMatchObject({ code: 5, stdout: '' })
    expect(wrong.stderr.trim()).toBe(
      `filewright: ${origin} does not know this token; "filewright serve" prints the right one`,
    )
    expect(await attach('--server', origin)).toMatchObject({ code: 2, stdout: '' })
    expect(await attach('--server', 'here', '--token', token)).toMatchObject({ code: 2 })

    const holding = stopAtEnd(near.start(['attach', '--server', `${origin}/?token=${token}`]))
    await untilSays(holding, /as ws_\w+/)
    const second = await attach('--server', origin, '--token', token)
    expect(second).toMatchObject({ code: 8, stdout: '' })
    expect(second.stderr).toContain('already')

    child.kill('SIGKILL')
    await finished(child)
    holding.kill('SIGKILL')
    await finished(holding)
    const away = await attach('--server', origin, '--token', token)
    expect(away).toMatchObject({ code: 8, stdout: '' })
    expect(away.stderr.trim().split('\n')).toHaveLength(1)
  },
)
