import type { Effect, SessionId, Sha256, WorkspaceId } from '@filewright/protocol'
import type { SourceReader, TextWork } from '@filewright/tools'
import type { ClientLink } from '../link/client-link.ts'

export interface NetEffectsOptions {
  readonly link: Pick<ClientLink, 'ask'>
  readonly reader: Pick<SourceReader, 'bytes'>
  readonly texts: TextWork
  readonly workspaceId: WorkspaceId
  readonly sessionId: SessionId
}

/** The effects of a run as they are at its end: from the client's draft, and from the versions it wrote. */
export async function netEffects(
  options: NetEffectsOptions,
  effects: readonly Effect[],
): Promise<readonly Effect[]> {
  const drafted = effects.filter(({ where }) => where === 'draft')
  const written = effects.filter(({ where }) => where === 'workspace')
  const net = drafted.length > 0 ? await netInDraft(options, drafted) : []
  return [...(await netOnDisk(options, written)), ...net]
}

/** Of the draft, only the files that this run changed; as they were counted when the client is away. */
async function netInDraft(
  { link, workspaceId, sessionId }: NetEffectsOptions,
  effects: readonly Effect[],
): Promise<readonly Effect[]> {
  const net = await link.ask(workspaceId, 'draft-net', { sessionId })
  if (!net.ok || !Array.isArray(net.value)) return effects
  const own = new Set(effects.flatMap(({ docPath, from }) => [docPath, from]))
  return net.value.filter(({ docPath, from }) => own.has(docPath) || own.has(from))
}

async function netOnDisk(
  options: NetEffectsOptions,
  effects: readonly Effect[],
): Promise<readonly Effect[]> {
  const net: Effect[] = []
  for (const docPath of new Set(effects.map(effect => effect.docPath))) {
    const own = effects.filter(effect => effect.docPath === docPath)
    const before = own[0]!.before
    const after = own.at(-1)!.after
    if (before !== undefined && before === after) continue
    const count = own.length > 1 ? await countBetween(options, own[0]!, own.at(-1)!) : undefined
    if (count === undefined) net.push(...own)
    else net.push({ ...own.at(-1)!, action: own[0]!.action, count, unit: 'lines' })
  }
  return net
}

/** Undefined where the versions are gone, are no text, or take too long to compare. */
async function countBetween(
  { reader, texts }: NetEffectsOptions,
  { before, path }: Effect,
  { after }: Effect,
): Promise<number | undefined> {
  if (!before || !after) return undefined
  const hashes = [before as Sha256, after as Sha256]
  const [old, now] = await Promise.all(hashes.map(sha256 => reader.bytes(sha256)))
  if (!old || !now) return undefined
  const versions = [old, now].map((bytes, i) => ({ path, sha256: hashes[i]!, bytes }))
  const counted = await texts.run('countChanged', {}, versions)
  return counted.ok ? counted.value : undefined
}
