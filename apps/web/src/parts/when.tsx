const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const short = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const shortWithDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })

/** The time of day, with the date when that was not today. */
export function When({ time }: { time: string }) {
  const date = new Date(time)
  const today = date.toDateString() === new Date().toDateString()
  return (
    <time
      dateTime={time}
      title={full.format(date)}
      className="whitespace-nowrap text-muted tabular-nums"
    >
      {(today ? short : shortWithDay).format(date)}
    </time>
  )
}
