import type { JournalLine, Result } from '@filewright/protocol'
import type { Api } from '../api.ts'

const PAGE = 2000

/** A conversation as Markdown, for a person to keep. */
export async function exportSession(
  api: Api,
  workspaceId: string,
  sessionId: string,
  title: string,
): Promise<Result<string>> {
  const parts = [`# ${title}\n`]
  for (let after = 0; ; ) {
    const page = await api.call('log', {
      params: { workspaceId, sessionId },
      query: { after, limit: PAGE },
    })
    if (!page.ok) return page
    for (const { body } of page.value.rows) parts.push(...toParagraph(body))
    after = page.value.rows.at(-1)?.seq ?? page.value.last
    if (page.value.rows.length < PAGE) return { ok: true, value: parts.join('\n') }
  }
}

function toParagraph(line: JournalLine): string[] {
  switch (line.type) {
    case 'user_message':
    case 'steer':
      return [`**You:** ${line.text}\n`]
    case 'assistant_message':
      return line.text.trim() === '' ? [] : [`${line.text.trim()}\n`]
    case 'call-start':
      return [`- ${line.label}\n`]
    case 'run-end':
      return line.reason === 'waiting' ? [] : [`*${line.closing}*\n`]
    default:
      return []
  }
}
