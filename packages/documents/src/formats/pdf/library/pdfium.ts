import type { WrappedPdfiumModule } from '@embedpdf/pdfium'

type Library = WrappedPdfiumModule

/** A handle of the library: 0 is none. */
export type Handle = number

let library: Library | undefined

/** Starts the library, 300 ms; everything after that works at once. */
export async function startPdfium(): Promise<void> {
  if (library) return
  const { init } = await import('@embedpdf/pdfium')
  const started = await init({})
  started.PDFiumExt_Init()
  library = started
}

/** Calls into the library, with what they need of its memory. One at a time: the library has one state. */
export class Pdfium {
  readonly calls: Library
  readonly #scratch: number

  constructor(calls: Library) {
    this.calls = calls
    this.#scratch = this.allocate(SCRATCH_BYTES)
  }

  allocate(bytes: number): number {
    return this.#memory.wasmExports.malloc(bytes)
  }

  free(address: number): void {
    this.#memory.wasmExports.free(address)
  }

  close(): void {
    this.free(this.#scratch)
  }

  put(bytes: Uint8Array, address: number): void {
    this.#memory.HEAPU8.set(bytes, address)
  }

  take(address: number, length: number): Uint8Array {
    return this.#memory.HEAPU8.slice(address, address + length)
  }

  /** Four floats at one address: left, top, right, bottom; or numbers at addresses of their own. */
  floats(count: number, call: (...at: number[]) => boolean): number[] | undefined {
    const at = Array.from({ length: count }, (_, index) => this.#scratch + 4 * index)
    if (!call(...at)) return undefined
    const first = this.#scratch >> 2
    return [...this.#memory.HEAPF32.subarray(first, first + count)]
  }

  /** Text that a call writes in UTF-16, as long as it says; cut at a bound, because a file says how long it is. */
  text(call: (buffer: number, bytes: number) => number): string {
    return this.#string('utf-16le', call)
  }

  /** Likewise in UTF-8 or ASCII. */
  bytesText(call: (buffer: number, bytes: number) => number): string {
    return this.#string('utf-8', call)
  }

  #string(encoding: string, call: (buffer: number, bytes: number) => number): string {
    const length = call(0, 0)
    if (length <= 0 || length > MOST_STRING_BYTES) return ''
    const buffer = this.allocate(length)
    try {
      const written = Math.min(call(buffer, length), length)
      const text = new TextDecoder(encoding).decode(this.take(buffer, written))
      return text.replace(/\0+$/, '').replace(CONTROL, ' ')
    } finally {
      this.free(buffer)
    }
  }

  get #memory() {
    return this.calls.pdfium as Library['pdfium'] & {
      readonly wasmExports: { malloc(bytes: number): number; free(address: number): void }
      readonly HEAPU8: Uint8Array
      readonly HEAPF32: Float32Array
    }
  }
}

const SCRATCH_BYTES = 128
const MOST_STRING_BYTES = 1024 * 1024
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

/** Undefined when an earlier file broke the library; it has been started again by the next call. */
export function takePdfium(): Pdfium | undefined {
  return library && new Pdfium(library)
}

/** A file made the library trap: its memory is not to be trusted any more. */
export function restartPdfium(): void {
  library = undefined
  void startPdfium()
}
