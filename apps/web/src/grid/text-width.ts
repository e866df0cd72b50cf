const CHARACTER_PX = 7.4 // of a usual one in the grid
const PADDING_PX = 16

/** How wide a column must be for this text, in pixels. */
export function widthOf(characters: number): number {
  return characters * CHARACTER_PX + PADDING_PX
}
