import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent border-transparent hover:opacity-90',
  plain: 'bg-card border-line hover:border-muted',
  danger: 'bg-card border-line text-danger hover:border-danger',
}

export function Button({
  kind = 'plain',
  ...rest
}: { kind?: keyof typeof looks } & ComponentProps<'button'>) {
  return (
    <button
      className={`rounded-md border px-3 py-1.5 text-sm font-medium disabled:cursor-default disabled:opacity-50 ${looks[kind]}`}
      {...rest}
    />
  )
}
