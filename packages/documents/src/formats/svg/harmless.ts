/**
 * The drawing without what could reach beyond it: links and files it refers to, scripts, embedded pages. Undefined for one
 * that declares entities, which can grow without bound.
 */
export function toHarmless(svg: string): string | undefined {
  if (/<!(DOCTYPE|ENTITY)[^>]*[[<]|<!ENTITY/i.test(svg)) return undefined
  return svg
    .replace(/<!DOCTYPE[^>]*>/gi, '')
    .replace(/<\?xml-stylesheet[^>]*\?>/gi, '')
    .replace(/<(script|foreignObject)\b[^>]*\/>/gi, '')
    .replace(/<(script|foreignObject)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/\son\w+\s*=\s*("[^"]*"|'[^']*')/gi, '')
    .replace(/\s(?:xlink:)?(?:href|src)\s*=\s*("[^"]*"|'[^']*')/gi, whole =>
      /=\s*["']\s*(#|data:image\/(png|jpeg|gif|webp);)/i.test(whole) ? whole : '',
    )
    .replace(/@import[^;"]*(?:"[^"]*"|'[^']*')?[^;]*;?/gi, '')
    .replace(/url\(\s*(?!["']?\s*#)[^)]*\)/gi, 'none')
}
