import { decodeText, patchBetween, rebaseFilePatch } from '@filewright/documents/text'
import { toBytes } from '@filewright/protocol'

/**
 * `saved`: the disk has it. `stale`: the disk had it, and has something newer. `unsaved`: the disk never had it, as far as
 * we know.
 */
export type BufferState = 'saved' | 'stale' | 'unsaved'

/** An editor gives text with line ends of its own, and may give what it read long ago. */
export function stateOf(text: string, disk: string | null, known: Iterable<string>): BufferState {
  const given = plain(text)
  if (disk !== null && given === plain(disk)) return 'saved'
  for (const version of known) if (plain(version) === given) return 'stale'
  return 'unsaved'
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

/** With the line ends of the file, so that only what a person typed is a difference. */
export function withLineEndsOf(disk: string | null, text: string): string {
  const lines = plain(text)
  return disk?.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines
}

/**
 * The unsaved text with what was written to the file: undefined where that is not proven to be for the same lines. The
 * text must come from the file as it was before.
 */
export function carryInto(
  unsaved: string,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
): string | undefined {
  const patch = patchBetween(before, after)
  const current = new TextEncoder().encode(unsaved)
  const rebased = patch && rebaseFilePatch(before, current, patch)
  if (!rebased?.ok) return undefined
  return decodeText(toBytes(rebased.value.content, current)).slice().content
}
