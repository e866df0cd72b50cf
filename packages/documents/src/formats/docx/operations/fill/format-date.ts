const PARTS = /'[^']*'|y{4,}|yy|M{1,4}|d{1,4}|[\s\S]/g

/** A date as the format of a content control writes it: `d MMMM yyyy`, in the language of the control. */
export function formatDate(date: Date, format: string, language: string): string {
  const name = (options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(date)
    } catch {
      return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(date)
    }
  }
  const two = (number: number) => String(number).padStart(2, '0')
  const day = date.getUTCDate()
  const month = date.getUTCMonth() + 1
  const year = String(date.getUTCFullYear())
  const parts: Readonly<Record<string, () => string>> = {
    d: () => String(day),
    dd: () => two(day),
    ddd: () => name({ weekday: 'short' }),
    dddd: () => name({ weekday: 'long' }),
    M: () => String(month),
    MM: () => two(month),
    MMM: () => name({ month: 'short' }),
    MMMM: () => name({ month: 'long' }),
    yy: () => year.slice(-2),
    yyyy: () => year,
  }
  return Array.from(format.matchAll(PARTS), ([part]) => {
    if (part.startsWith("'") && part.length > 1) return part.slice(1, -1)
    return Object.hasOwn(parts, part) ? parts[part]!() : part
  }).join('')
}
