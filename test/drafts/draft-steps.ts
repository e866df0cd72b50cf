import type { Embedded } from '../embedded.ts'

/** A tree as text, by path: the model of a draft works on it. */
export type Tree = Map<string, string>

export type Step =
  | { readonly op: 'write'; readonly path: string; readonly content: string }
  | { readonly op: 'edit'; readonly path: string; readonly edits: readonly TextEdit[] }
  | { readonly op: 'copy' | 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'delete'; readonly path: string }

interface TextEdit {
  readonly search: string
  readonly replace: string
  readonly all?: true
}

/** Four numbers that choose a step among those possible now. */
export type Choice = readonly [kind: number, file: number, place: number, extra: number]

/**
 * Every line has its own mark, two words that occur once in the file and one that occurs in every line, so that a
 * change shown in a review says which word of which line it replaced.
 */
export function baseTree(): Tree {
  const tree: Tree = new Map()
  for (const name of ['a', 'b', 'c', 'docs/d', 'docs/e', 'f'])
    tree.set(`${name}.txt`, linesOf(name.replace('/', '-'), 7))
  tree.set('b.txt', tree.get('b.txt')!.replaceAll('\n', '\r\n'))
  tree.set('c.txt', tree.get('c.txt')!.trimEnd())
  return tree
}

function linesOf(name: string, count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `#${name}${i} <x${i}:0> <y${i}:0> {s:0} end\n`,
  ).join('')
}

/** Turns choices into steps that work on the tree, one after the other; `isFree` allows what a review folds together. */
export function toSteps(choices: readonly Choice[], { isFree }: { isFree: boolean }): Step[] {
  const tree = baseTree()
  const rooted = new Set(tree.keys())
  const steps: Step[] = []
  choices.forEach(([kind, file, place, extra], n) => {
    const paths = [...tree.keys()].sort()
    const path = paths[file % paths.length]!
    const number = n + 1
    const fresh = () => {
      const used = [...baseTree().keys(), ...steps.map(step => step.path)]
      const gone = used.filter(each => !tree.has(each))
      return isFree && extra % 2 === 0 && gone.length > 0
        ? gone[place % gone.length]!
        : `new/n${number}.txt`
    }
    const mayGo = isFree ? paths : paths.filter(each => rooted.has(each))
    const step = choose(kind % 12)
    if (step.op === 'move') rooted.delete(step.from)
    steps.push(step)
    run(tree, step)

    function choose(which: number): Step {
      if (which === 0) return { op: 'write', path: fresh(), content: linesOf(`n${number}-`, 4) }
      if (which === 1) return { op: 'write', path, content: linesOf(`w${number}-`, 5) }
      if (which === 2) return { op: 'copy', from: path, path: fresh() }
      if (which === 3 && mayGo.length > 0)
        return { op: 'move', from: mayGo[file % mayGo.length]!, path: fresh() }
      if (which === 4 && mayGo.length > (isFree ? 2 : 1))
        return { op: 'delete', path: mayGo[file % mayGo.length]! }
      const words = [...tree.get(path)!.matchAll(/<[xy]\d+:\d+>/g)].map(([word]) => word)
      if (words.length === 0) return { op: 'write', path, content: linesOf(`w${number}-`, 5) }
      const renew = (word: string) => ({
        search: word,
        replace: word.replace(/:\d+>/, `:${number}>`),
      })
      if (which === 5 || which === 6) {
        const all = [...new Set(tree.get(path)!.match(/\{s:\d+\}/g))]
        const search = all[place % all.length]!
        return { op: 'edit', path, edits: [{ search, replace: `{s:${number}}`, all: true }] }
      }
      if (which === 7) {
        const several = new Set([place, place + 1, extra].map(i => words[i % words.length]!))
        return { op: 'edit', path, edits: [...several].map(renew) }
      }
      return { op: 'edit', path, edits: [renew(words[place % words.length]!)] }
    }
  })
  return steps
}

/** The effect of the step on a tree. */
export function run(tree: Tree, step: Step): void {
  switch (step.op) {
    case 'write': {
      const keepsCrlf = tree.get(step.path)?.includes('\r\n')
      tree.set(step.path, keepsCrlf ? step.content.replaceAll('\n', '\r\n') : step.content)
      return
    }
    case 'edit': {
      let text = tree.get(step.path)!
      for (const { search, replace } of step.edits) text = text.replaceAll(search, replace)
      tree.set(step.path, text)
      return
    }
    case 'copy':
    case 'move':
      tree.set(step.path, tree.get(step.from)!)
      if (step.op === 'move') tree.delete(step.from)
      return
    case 'delete':
      tree.delete(step.path)
  }
}

/** The tool call that does the step on the product's draft. */
export function callStep(product: Embedded, step: Step) {
  const { path } = step
  switch (step.op) {
    case 'write':
      return product.call('write_text_file', { path, content: step.content })
    case 'edit':
      return product.call('edit_text_file', { path, edits: step.edits })
    case 'delete':
      return product.call('file_operations', { operations: [{ op: 'delete', path }] })
    default: {
      const operation = { op: step.op, from: step.from, to: path }
      return product.call('file_operations', { operations: [operation] })
    }
  }
}
