/** How many of their first items two lists have in common. */
export function sharedBeginning<Item>(one: readonly Item[], two: readonly Item[]): number {
  let count = 0
  while (count < one.length && count < two.length && one[count] === two[count]) count++
  return count
}
