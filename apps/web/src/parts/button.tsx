import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent border-transparent hover:opacity-90 font-medium',
  plain: 'bg-card border-line hover:border-field font-medium',
  quiet: 'border-transparent text-muted hover:text-ink hover:bg-sunken',
  danger: 'bg-card border-line text-danger hover:border-danger font-medium',
}

const sizes = { normal: 'px-3 py-1.5', small: 'px-2 py-0.5' }

export function Button({
  kind = 'plain',
  size = 'normal',
  className = '',
  ...rest
}: { kind?: keyof typeof looks; size?: keyof typeof sizes } & ComponentProps<'button'>) {
  return (
    <button
      className={`rounded-md border text-sm whitespace-nowrap disabled:cursor-default disabled:opacity-50 ${sizes[size]} ${looks[kind]} ${className}`}
      {...rest}
    />
  )
}
