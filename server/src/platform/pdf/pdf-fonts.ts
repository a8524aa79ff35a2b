import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type OpenFont, registerFormat } from 'fontkit'
import { yieldingToEventLoop } from '../concurrency-limit.ts'

/**
 * The fonts of documents, kept open while the server runs. pdfkit opens a font anew for each document, and reading its
 * shaping tables takes most of the time of a short one; so fontkit's `open` is made to return ours.
 */

const files = {
  latin: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  latinBold: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
  devanagari: '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  devanagariBold: '@expo-google-fonts/noto-sans-devanagari/600SemiBold/NotoSansDevanagari_600SemiBold.ttf',
}
type FontName = keyof typeof files
const fontNames = Object.keys(files) as FontName[]

/** Stands for each font when it is registered with pdfkit: empty, so that no other format recognises it. */
export const fontHandles: ReadonlyMap<Uint8Array, FontName> = new Map(
  fontNames.map((name) => [new Uint8Array(0), name]),
)

/** Words whose shaping makes fontkit read a font's tables: a tenth of a second of work per font. */
const shaped: Record<FontName, string> = {
  latin: 'final',
  latinBold: 'final',
  devanagari: 'क्षितिज',
  devanagariBold: 'क्षितिज',
}

interface CachedFont {
  font: OpenFont
  /** The glyph of each character, by the glyph's number */
  glyphs: OpenFont['_glyphs']
}

const open = new Map<FontName, CachedFont>()

/**
 * Reads a font and the glyphs of its characters, except compatibility characters (U+FB01 for `fi`): shaping also
 * produces their glyphs for the plain characters, and those must be what is copied out.
 */
function* read(name: FontName): Generator<undefined, CachedFont> {
  const font = create(readFileSync(fileURLToPath(import.meta.resolve(files[name]))))
  for (const codePoint of font.characterSet) {
    const character = String.fromCodePoint(codePoint)
    if (character.normalize('NFKC') === character) font.glyphForCodePoint(codePoint)
  }
  const cached = { font, glyphs: font._glyphs }
  yield
  forget(cached)
  font.layout(shaped[name])
  return cached
}

function* readAll(): Generator<undefined, void> {
  for (const name of fontNames) {
    open.set(name, yield* read(name))
    yield
  }
}

/** Reads the fonts, yielding between them: half a second of work. */
export function readFonts(): Promise<void> {
  return yieldingToEventLoop(readAll())
}

/**
 * Resets a font to its state when opened. fontkit remembers for each glyph the characters it was first requested for,
 * which are what a reader copies out: a full stop first seen as part of «…» would copy as nothing.
 */
function forget({ font, glyphs }: CachedFont): void {
  font._glyphs = { ...glyphs }
}

/** Returns one of the open fonts, for a document. */
function opened(name: FontName): OpenFont | undefined {
  const cached = open.get(name)
  if (cached) forget(cached)
  return cached?.font
}

registerFormat(
  class Handle {
    static probe(bytes: Uint8Array): boolean {
      return fontHandles.has(bytes)
    }

    constructor({ buffer }: { buffer: Uint8Array }) {
      const name = fontHandles.get(buffer)
      const font = name && opened(name)
      // biome-ignore lint/correctness/noConstructorReturn: fontkit makes a font by `new`, and takes what it gets
      if (font) return font
    }
  },
)
