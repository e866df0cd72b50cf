import { between, type Tree } from './apply-kit.ts'

const FILES = 60

/** A tree of which every file changes from one generation to the next: 20 replaced, 20 made, 20 deleted. */
export function generation(number: number): Tree {
  const tree: Tree = {}
  for (let n = 0; n < FILES; n++) {
    const text = `generation ${number}, file ${n}\n`.repeat(1 + ((n * 7) % 40))
    if (n % 3 === 0) tree[`always/${n % 4}/${n}.txt`] = text
    else if (n % 3 === 1 + (number % 2)) tree[`turns/${number % 2}/${n}.txt`] = text
  }
  return tree
}

export function step(from: number): ReturnType<typeof between> {
  return between(generation(from), generation(from + 1))
}
