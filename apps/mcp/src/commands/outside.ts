import {
  Exit,
  keyOf,
  note,
  type OutsideConfig,
  pinAll,
  readConfig,
  readOutsideServers,
  removePins,
  startOutside,
  unwrapOrExit,
  whileWaiting,
  writeOutsideServer,
} from '@filewright/host'
import { counted, EXIT_CODES, fail, type Result } from '@filewright/protocol'
import { type GivenServer, toOutsideConfig } from '../setup/outside-config.ts'

/** Starts the server once, shows its tools, and keeps it with the definitions that were shown. */
export async function add(given: GivenServer): Promise<void> {
  const config = unwrapOrExit(toOutsideConfig(given))
  const { name } = given
  const { stateRoot } = readConfig()
  const known = findName(stateRoot, name)
  if (known !== undefined)
    throw new Exit(
      EXIT_CODES.conflict,
      `there is a server "${known}" already. To change it: filewright mcp remove ${known}, then add it again`,
    )
  const server = unwrapOrExit(
    await whileWaiting(`Starting ${name}`, () => startOutside(name, config, { stateRoot })),
  )
  const { tools, troubles } = server.defined
  pinAll(stateRoot, { key: keyOf(name, config), server })
  writeOutsideServer(stateRoot, name, config)
  await server.close()
  for (const { name: offered, description } of tools) print(offered, description)
  for (const trouble of troubles) note(trouble)
  note(
    `Added "${name}" with ${counted(tools.length, 'tool')}. Runs offer them from now on. Each call asks you, until you answer "always" for that tool in a folder.`,
  )
}

export function remove({ name }: { readonly name: string }): void {
  const { stateRoot } = readConfig()
  const known = findName(stateRoot, name)
  const config = known === undefined ? undefined : readOutsideServers(stateRoot)[known]
  if (known === undefined || !config) throw noSuchServer(stateRoot, name)
  writeOutsideServer(stateRoot, known, undefined)
  removePins(stateRoot, keyOf(known, config))
  process.stdout.write(`Removed "${known}". Rules for its tools: filewright rules\n`)
}

/** Each with its tools as they are now, or why it cannot be used. */
export async function list({ json }: { readonly json?: boolean }): Promise<void> {
  const { stateRoot } = readConfig()
  const servers = Object.entries(readOutsideServers(stateRoot))
  if (servers.length === 0 && !json)
    note('There are no MCP servers. Add one: filewright mcp add NAME -- PROGRAM ARGUMENT…')
  const looked = await whileWaiting('Starting the servers', () =>
    Promise.all(
      servers.map(
        async ([name, config]) => [name, config, await look(stateRoot, name, config)] as const,
      ),
    ),
  )
  if (json)
    return void process.stdout.write(
      `${JSON.stringify(
        looked.map(([name, config, found]) => ({
          name,
          ...placeOf(config),
          ...(found.ok ? found.value : { trouble: found.failure.message }),
        })),
        null,
        2,
      )}\n`,
    )
  for (const [name, config, found] of looked) {
    const { type, at, variables } = placeOf(config)
    const named = variables.length > 0 ? ` with ${variables.join(', ')}` : ''
    process.stdout.write(`${name}  ${type}  ${at}${named}\n`)
    if (found.ok) for (const tool of found.value.tools) process.stdout.write(`  ${tool}\n`)
    else process.stdout.write(`  ${found.failure.message}\n`)
  }
}

async function look(
  stateRoot: string,
  name: string,
  config: OutsideConfig,
): Promise<Result<{ tools: readonly string[] }>> {
  try {
    const started = await startOutside(name, config, { stateRoot })
    if (!started.ok) return started
    const tools = started.value.defined.tools.map(tool => tool.name)
    await started.value.close()
    return { ok: true, value: { tools } }
  } catch (error) {
    return fail('OUTSIDE_GONE', (error as Error).message, { kind: 'unavailable' })
  }
}

/** Names of variables and headers; their values may be keys. */
function placeOf(config: OutsideConfig) {
  if (config.type === 'http')
    return { type: config.type, at: config.url, variables: Object.keys(config.headers) }
  const { type, command, args, env, pass } = config
  return { type, at: [command, ...args].join(' '), variables: [...Object.keys(env), ...pass] }
}

function findName(stateRoot: string, name: string): string | undefined {
  const names = Object.keys(readOutsideServers(stateRoot))
  return names.find(each => each.toLowerCase() === name.toLowerCase())
}

function noSuchServer(stateRoot: string, name: string): Exit {
  const names = Object.keys(readOutsideServers(stateRoot)).join(', ')
  return new Exit(
    EXIT_CODES.missing,
    `there is no MCP server "${name}". The servers are: ${names || 'none'}`,
  )
}

const SHOWN = 100 // characters

function print(name: string, description: string): void {
  const short = description.length > SHOWN ? `${description.slice(0, SHOWN)}…` : description
  process.stdout.write(`${name}${short ? `  ${short}` : ''}\n`)
}
