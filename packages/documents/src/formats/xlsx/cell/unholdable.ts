/** Characters that XML cannot represent and the format cannot escape. */
export function findUnholdable(text: string): string | undefined {
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.exec(
    text,
  )?.[0]
  return found && `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
