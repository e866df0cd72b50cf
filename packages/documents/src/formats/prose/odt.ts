const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** A paragraph, heading or row of a table a line. Tracked deletions and notes of the program are left out. */
export function odtText(xml: string): string {
  return xml
    .replace(/<text:tracked-changes>[\s\S]*?<\/text:tracked-changes>/g, '')
    .replace(/<office:annotation\b[\s\S]*?<\/office:annotation>/g, '')
    .replace(/[\r\n]+\s*/g, '')
    .replace(/<text:s(?:\s+text:c="(\d{1,3})")?\s*\/>/g, (_, count = '1') =>
      ' '.repeat(Number(count)),
    )
    .replace(/<text:tab\s*\/>/g, '\t')
    .replace(/<text:line-break\s*\/>/g, '\n')
    .replace(
      /<table:table-cell\b[^>]*?(\/>|>([\s\S]*?)<\/table:table-cell>)/g,
      (_, __, cell = '') =>
        `${cell
          .replace(/<\/text:(p|h)>/g, ' ')
          .replace(/<[^>]*>/g, '')
          .trim()} | `,
    )
    .replace(/<\/(text:p|text:h|table:table-row)>|<(text:p|text:h)\b[^>]*\/>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
      if (name) return NAMED[name] ?? whole
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
}
