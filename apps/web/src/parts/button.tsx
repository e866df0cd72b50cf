import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent border-transparent hover:opacity-90 font-medium',
  plain: 'bg-card border-line hover:border-field font-medium',
  quiet: 'border-transparent text-muted hover:text-ink hover:bg-sunken',
  danger: 'bg-card border-line text-danger hover:border-danger font-medium',
}

const sizes = { normal: 'px-3 py-1.5', small: 'px-2 py-0.5' }

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: keyof typeof looks
  readonly size?: keyof typeof sizes
  /** Words of somebody else, of any length. */
  readonly wraps?: boolean
}

export function Button({
  kind = 'plain',
  size = 'normal',
  wraps = false,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <button
      className={`rounded-md border text-sm ${wraps ? 'keep-inside text-left' : 'whitespace-nowrap'} disabled:cursor-default disabled:opacity-50 ${sizes[size]} ${looks[kind]} ${className}`}
      {...rest}
    />
  )
}
