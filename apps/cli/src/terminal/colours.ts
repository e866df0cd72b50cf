/** How things look; without colours every function gives its text back. */
export interface Colours {
  bold(text: string): string
  dim(text: string): string
  italic(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
  /** Changed words within a line that is red or green already. */
  strongRed(text: string): string
  strongGreen(text: string): string
}

const CODES: Readonly<Record<keyof Colours, readonly [string, string]>> = {
  bold: ['1', '22'],
  dim: ['2', '22'],
  italic: ['3', '23'],
  red: ['31', '39'],
  green: ['32', '39'],
  yellow: ['33', '39'],
  cyan: ['36', '39'],
  strongRed: ['7', '27'],
  strongGreen: ['7', '27'],
}

export function createColours({ isOn }: { readonly isOn: boolean }): Colours {
  const made = Object.entries(CODES).map(([name, [begin, end]]) => [
    name,
    isOn
      ? (text: string) => (text === '' ? '' : `\x1b[${begin}m${text}\x1b[${end}m`)
      : (text: string) => text,
  ])
  return Object.fromEntries(made) as Colours
}
