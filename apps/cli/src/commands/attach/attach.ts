import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  AttachRefused,
  type LocalPerson,
  type LocalQuestion,
  openClientState,
  openDiskWorkspace,
  readRules,
  startClient,
} from '@filewright/client'
import {
  currentFolder,
  Exit,
  type FolderOptions,
  findOwnFolders,
  folderState,
  note,
  readConfig,
  realFolder,
  showChanges,
  startEngines,
  startWaiting,
  untilStopped,
  unwrapOrExit,
} from '@filewright/host'
import { EXIT_CODES, visible } from '@filewright/protocol'
import { claimOwnership, prepareStateFolder } from '@filewright/server'
import { askLine, canAsk } from '../../input/prompt.ts'
import { confirmScan } from '../../input/scan-question.ts'

interface AttachCommandOptions extends FolderOptions {
  readonly server: string
  readonly token?: string
  readonly yes?: boolean
  readonly reviewThere?: boolean
}

/** The same client as in one process, over real HTTP: the files stay here, the server asks for what it needs. */
export async function attach({
  cwd = currentFolder(),
  server,
  token,
  allowLarge,
  ...consent
}: AttachCommandOptions): Promise<void> {
  const writes = whoDecides(consent)
  const config = readConfig()
  const url = parseAddress(server)
  const secret = token ?? url.searchParams.get('token') ?? config.token
  if (!secret)
    throw new Exit(
      EXIT_CODES.invalid,
      'a token is required: --token, or FILEWRIGHT_TOKEN in the environment; "filewright serve" prints it',
    )
  const root = unwrapOrExit(realFolder(cwd))
  const ownFolders = unwrapOrExit(findOwnFolders(root, config))
  const workspace = unwrapOrExit(await openDiskWorkspace(root, { ownFolders }))
  // the same path on two machines is two folders
  const identity = [url.origin, hostname(), root].join('\n')
  const key = createHash('sha256').update(identity).digest('hex').slice(0, 16)
  const stateRoot = join(config.stateRoot, 'attached', key)
  unwrapOrExit(await prepareStateFolder(stateRoot))
  const ownership = await claimPlace(stateRoot, `${root} to ${url.origin}`)
  const rules = await readRules(folderState(config, root))
  const { engines, close: closeEngines } = startEngines(config)
  const connecting = sayConnecting(url.origin)
  try {
    const client = await startClient({
      workspace,
      state: await openClientState(stateRoot),
      engines,
      fetch: request => fetch(request),
      origin: url.origin,
      token: secret,
      key,
      name: basename(root) || root,
      // enough to tell two folders of one name apart; the rest of the path is none of another machine's business
      place: `${join(basename(dirname(root)), basename(root))} on ${hostname()}`,
      allowLarge,
      confirmScan: connecting.confirmScan,
      watch: true,
      person: { name: config.userName, writes, rules, ...(canAsk() && { ask: askHere }) },
      ...tellState(url.origin),
    })
      .catch(error => refuse(error, url.origin))
      .finally(() => connecting.end())
    for (const sentence of client.recovery) note(sentence)
    note(`Offering ${root} to ${url.origin} as ${client.workspaceId}. Ctrl-C ends it.`)
    note(sayWho(writes, rules.length))
    await untilStopped()
    await client.close()
  } finally {
    await closeEngines()
    ownership.release()
  }
}

async function claimPlace(stateRoot: string, what: string) {
  const ownership = await claimOwnership(stateRoot)
  if (ownership) return ownership
  throw new Exit(EXIT_CODES.unavailable, `another process already offers ${what}`)
}

function sayConnecting(origin: string) {
  const { end } = startWaiting(`Connecting to ${origin}`)
  return {
    end,
    async confirmScan(question: string) {
      end() // the question takes its place
      await confirmScan(question)
    },
  }
}

type Consent = Pick<AttachCommandOptions, 'yes' | 'reviewThere'>

function whoDecides({ yes, reviewThere }: Consent): LocalPerson['writes'] {
  if (yes && reviewThere)
    throw new Exit(EXIT_CODES.invalid, 'choose one: --yes asks nobody, --review-there asks there')
  if (yes) return 'yes'
  return reviewThere ? 'there' : 'ask'
}

/** What the server can do from now on. */
function sayWho(writes: LocalPerson['writes'], rules: number): string {
  const reads = 'It can list this folder and read its files, but for key files.'
  if (writes === 'yes') return `${reads} It can write without asking (--yes).`
  if (writes === 'there')
    return `${reads} Whoever controls that server decides about writes (--review-there).`
  const where = canAsk() ? 'are asked about here' : 'wait: there is no terminal to ask at'
  return `${reads} Writes ${rules > 0 ? "that this folder's rules do not allow " : ''}${where}.`
}

async function askHere({ title, changes, diffs, warnings }: LocalQuestion) {
  note(visible(title))
  if (changes.length > 0) note(showChanges(changes, diffs))
  for (const warning of warnings) note(visible(`Warning: ${warning}`))
  for (;;) {
    const line = await askLine('Allow it? [y]es, [n]o, [l]ater: ').catch(stop)
    if (line === '' || /^l(ater)?$/i.test(line)) return 'later'
    if (/^y(es)?$/i.test(line)) return 'yes'
    if (/^n(o)?$/i.test(line)) return 'no'
  }
}

/** Ctrl-C at the question ends the command, not only the question. */
function stop(): string {
  process.kill(process.pid, 'SIGINT')
  return ''
}

/** Reports trouble once, not at every retry. */
function tellState(origin: string) {
  let isLost = false
  let lastSaid = ''
  return {
    onState(state: 'attached' | 'lost') {
      if (state === 'lost' && !isLost) note(`Lost ${origin}; trying to reconnect.`)
      if (state === 'attached' && isLost) note(`${origin} is back.`)
      isLost = state === 'lost'
      if (!isLost) lastSaid = ''
    },
    onError(error: unknown) {
      const message = error instanceof Error ? error.message : String(error)
      if (isConnectionTrouble(error) || message === lastSaid) return
      lastSaid = message
      note(message)
    },
  }
}

/** The errors that fetch throws when no server answers or a stream breaks. */
function isConnectionTrouble(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message)
}

function refuse(error: unknown, origin: string): never {
  if (error instanceof AttachRefused && error.status === 401)
    throw new Exit(
      EXIT_CODES.denied,
      `${origin} does not know this token; "filewright serve" prints the right one`,
    )
  if (error instanceof AttachRefused) throw new Exit(EXIT_CODES.unavailable, error.message)
  if (isConnectionTrouble(error))
    throw new Exit(EXIT_CODES.unavailable, `no server answers at ${origin}; is the server running?`)
  throw error
}

function parseAddress(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Exit(
    EXIT_CODES.invalid,
    `"${server}" is not the address of a server; use one such as http://127.0.0.1:4680`,
  )
}
