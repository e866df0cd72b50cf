/** Pictures that every provider with eyes takes. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export type PictureType = (typeof PICTURE_TYPES)[number]
