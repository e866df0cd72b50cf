const KEY = 'filewright-theme'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return THEMES.find(theme => theme === kept) ?? 'system'
}

/** The page has it from now on, and after a reload. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  showTheme(theme)
}

export function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
}
