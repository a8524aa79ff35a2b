// The part of fontkit (which has no types) needed to keep fonts open.
declare module 'fontkit' {
  export interface OpenFont {
    readonly type: string
    readonly characterSet: readonly number[]
    glyphForCodePoint(codePoint: number): unknown
    layout(text: string): unknown
    /** Cached glyphs by their numbers */
    _glyphs: Record<number, unknown>
  }
  interface FontFormat {
    probe(bytes: Uint8Array): boolean
    new (stream: { buffer: Uint8Array }): object
  }
  export function create(bytes: Uint8Array): OpenFont
  export function registerFormat(format: FontFormat): void
}
