import { visible } from '@filewright/protocol'
import { lexer, type Token, type Tokens } from 'marked'
import { type JSX, memo, type ReactNode, useMemo } from 'react'

/**
 * Markdown as elements of our own: no HTML of its author is ever inserted, no picture is fetched, and a link leads out
 * only when a person follows it. Text that streams is parsed anew, and only its last blocks are drawn again.
 */
export const Markdown = memo(({ text }: { text: string }) => {
  const blocks = useMemo(
    () => lexer(text, { gfm: true }).filter(({ type }) => type !== 'space'),
    [text],
  )
  return (
    <div dir="auto" className="prose keep-inside">
      {blocks.map((block, index) => (
        <Block key={index} raw={block.raw} token={block} />
      ))}
    </div>
  )
})

/** A block whose source is the same is the same. */
const Block = memo(
  ({ token }: { raw: string; token: Token }) => <>{toBlock(token)}</>,
  (before, after) => before.raw === after.raw,
)

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const

function toBlock(token: Token): ReactNode {
  switch (token.type) {
    case 'heading': {
      const Heading = HEADINGS[Math.min(token.depth, 6) - 1] as keyof JSX.IntrinsicElements
      return <Heading>{inline(token.tokens)}</Heading>
    }
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
        <pre tabIndex={0}>
          <code>{visible(token.text)}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocksOf(token.tokens)}</blockquote>
    case 'list':
      return toList(token as Tokens.List)
    case 'table':
      return toTable(token as Tokens.Table)
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    case 'html':
      return <p className="whitespace-pre-wrap">{visible(token.raw.trimEnd())}</p>
    default:
      return 'tokens' in token && token.tokens ? <p>{inline(token.tokens)}</p> : inline([token])
  }
}

function blocksOf(tokens: readonly Token[] = []): ReactNode {
  return tokens.map((token, index) => <Block key={index} raw={token.raw} token={token} />)
}

function toList({ ordered, start, items }: Tokens.List): ReactNode {
  const lines = items.map((item, index) => (
    <li key={index} className={item.task ? '-ml-5 list-none' : undefined}>
      {item.task && <input type="checkbox" disabled checked={item.checked} aria-label="done" />}
      {item.task && ' '}
      {item.tokens.map((token, at) =>
        token.type === 'text' ? (
          <span key={at}>{inline(token.tokens ?? [token])}</span>
        ) : (
          <Block key={at} raw={token.raw} token={token} />
        ),
      )}
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{lines}</ol> : <ul>{lines}</ul>
}

function toTable({ header, rows, align }: Tokens.Table): ReactNode {
  const look = (column: number) => ({ textAlign: align[column] ?? undefined })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what it can reach
    <div className="overflow-x-auto" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} style={look(index)}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} style={look(at)}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: readonly Token[] = []): ReactNode {
  return tokens.map((token, index) => <Inline key={index} token={token} />)
}

function Inline({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{visible(token.text)}</code>
    case 'br':
      return <br />
    case 'checkbox': // its item shows it
      return null
    case 'link':
      return <Link href={token.href}>{inline(token.tokens)}</Link>
    case 'image':
      return <span className="text-muted">[picture: {visible(token.text || token.href)}]</span>
    case 'escape':
      return visible(token.text)
    case 'html':
      return visible(token.raw)
    default:
      return 'tokens' in token && token.tokens ? inline(token.tokens) : visible(textOf(token))
  }
}

function textOf(token: Token): string {
  return toCharacters('text' in token && typeof token.text === 'string' ? token.text : token.raw)
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

function toCharacters(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, dec, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = dec ? Number(dec) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Anything but the web and mail stays text. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(https?:|mailto:)/i.test(href)) return <span title={visible(href)}>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={visible(href)}>
      {children}
    </a>
  )
}
