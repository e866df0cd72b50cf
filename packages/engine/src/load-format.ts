import type { FormatId, ReadableFormat } from '@filewright/documents'

export type LoadFormat = (id: FormatId) => Promise<ReadableFormat>
