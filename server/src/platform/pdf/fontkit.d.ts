// The little of fontkit (which brings no types) that fonts are kept open with.
declare module 'fontkit' {
  export interface OpenFont {
    readonly type: string
    readonly characterSet: readonly number[]
    glyphForCodePoint(codePoint: number): unknown
    layout(text: string): unknown
    /** Glyphs that it was asked for, by their numbers */
    _glyphs: Record<number, unknown>
  }
  interface FontFormat {
    probe(bytes: Uint8Array): boolean
    new (stream: { buffer: Uint8Array }): object
  }
  export function create(bytes: Uint8Array): OpenFont
  export function registerFormat(format: FontFormat): void
}
