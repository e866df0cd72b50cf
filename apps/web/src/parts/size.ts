const units = ['B', 'KB', 'MB', 'GB']

export function toSize(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const amount = bytes / 1000 ** step
  return `${amount.toFixed(step > 0 && amount < 10 ? 1 : 0)} ${units[step]}`
}
