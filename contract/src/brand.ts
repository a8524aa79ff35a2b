/**
 * The foundation's colour and all tones derived from it, for pages and printed papers. Pure: the server writes the
 * style sheet with it, and the office's preview uses it too. Contrast is as defined by WCAG 2.2.
 */

type Rgb = readonly [number, number, number]

/** The product's own colour, for a foundation that has chosen none. */
export const builtInColour = '#14466f'

/** Lowest contrast between text and its background. */
const leastContrast = 4.5

/** Backgrounds of coloured text in the two themes, the worst case of each (tokens.css). */
const grounds = { light: '#f4f6f6', dark: '#151d23' } as const

export const hexPattern = /^#[0-9a-f]{6}$/

/** Reads a colour as people write it (`14466F`, `#14466f`, `#abc`) as `#rrggbb`; undefined if it is no colour. */
export function readColour(typed: string): string | undefined {
  const bare = typed.trim().replace(/^#/, '').toLowerCase()
  if (/^[0-9a-f]{6}$/.test(bare)) return `#${bare}`
  return /^[0-9a-f]{3}$/.test(bare) ? `#${[...bare].map((digit) => digit + digit).join('')}` : undefined
}

const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map(linear)
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Contrast of two colours (`#rrggbb`): 1 to 21. */
export function contrast(first: string, second: string): number {
  const [low = 0, high = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Mixes two colours; `share` is how much of the second one. */
export function mixColours(from: string, to: string, share: number): string {
  const [a, b] = [rgbOf(from), rgbOf(to)]
  return hexOf([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share])
}

/** The colour's hue (0 to 6), saturation and lightness (0 to 1). */
function hslOf(hex: string): Rgb {
  const [red, green, blue] = rgbOf(hex).map((part) => part / 255) as [number, number, number]
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const [span, light] = [high - low, (high + low) / 2]
  if (span === 0) return [0, 0, light]
  const hue =
    high === red
      ? (green - blue) / span + 6
      : high === green
        ? (blue - red) / span + 2
        : (red - green) / span + 4
  return [hue % 6, span / (1 - Math.abs(2 * light - 1)), light]
}

/** Lightens a colour by `share`, keeping hue and saturation; mixing with white would turn it grey. */
function lighten(hex: string, share: number): string {
  const [hue, saturation, lightness] = hslOf(hex)
  const light = lightness + (1 - lightness) * share
  const chroma = (1 - Math.abs(2 * light - 1)) * saturation
  const part = (offset: number) => {
    const position = (hue + offset) % 6
    return 255 * (light + chroma * (Math.min(Math.max(Math.abs(position - 3) - 1, 0), 1) - 0.5))
  }
  return hexOf([part(0), part(4), part(2)])
}

type Ramp = (share: number) => string

/** Raises the share from 0 to 1 until the tone has the given contrast with the background; stops at 1. */
function mixUntilContrast(ramp: Ramp, ground: string, ratio: number): string {
  for (let share = 0; share < 1; share += 0.02) {
    const tone = ramp(share)
    if (contrast(tone, ground) >= ratio) return tone
  }
  return ramp(1)
}

const darker =
  (from: string): Ramp =>
  (share) =>
    mixColours(from, black, share)
const lighter =
  (from: string): Ramp =>
  (share) =>
    lighten(from, share)

const white = '#ffffff'
const black = '#000000'

export const toneNames = [
  'primary',
  'primary-hover',
  'primary-active',
  'on-primary',
  'primary-tint',
  'on-tint',
  'link',
  'header',
  'header-2',
  'header-control',
  'header-ink-2',
] as const
/** Values of the design tokens of these names in tokens.css. */
export type Tones = Record<(typeof toneNames)[number], string>

function head(deep: string): Pick<Tones, 'header' | 'header-2' | 'header-control' | 'header-ink-2'> {
  const second = mixUntilContrast(darker(mixColours(deep, white, 0.12)), white, 9)
  return {
    header: deep,
    'header-2': second,
    'header-control': mixUntilContrast(lighter(mixColours(deep, white, 0.4)), deep, 4),
    'header-ink-2': mixUntilContrast(lighter(mixColours(deep, white, 0.7)), second, 6),
  }
}

/** Derives the tones for light and dark pages. Text and background have at least the contrast that tokens.css names. */
export function brandTones(colour: string): { light: Tones; dark: Tones } {
  const tint = mixColours(colour, white, 0.9)
  const night = mixUntilContrast(lighter(colour), grounds.dark, 7.5)
  const dim = mixUntilContrast(darker(mixColours(colour, grounds.dark, 0.65)), white, 11)
  return {
    light: {
      primary: colour,
      'primary-hover': mixColours(colour, black, 0.2),
      'primary-active': mixColours(colour, black, 0.38),
      'on-primary': white,
      'primary-tint': tint,
      'on-tint': mixUntilContrast(darker(colour), tint, 7),
      link: mixUntilContrast(darker(colour), tint, 5),
      ...head(mixUntilContrast(darker(mixColours(colour, black, 0.35)), white, 12)),
    },
    dark: {
      primary: night,
      'primary-hover': lighten(night, 0.25),
      'primary-active': lighten(night, 0.45),
      'on-primary': mixUntilContrast(darker(mixColours(colour, black, 0.6)), night, 7),
      'primary-tint': dim,
      'on-tint': mixUntilContrast(lighter(lighten(night, 0.3)), dim, 7),
      link: mixUntilContrast(lighter(night), dim, 5),
      ...head(mixUntilContrast(darker(mixColours(colour, black, 0.55)), white, 15)),
    },
  }
}

export interface ColourCheck {
  /** `label`: white on a button; `light`: a link on a light page; `dark`: its tone on a dark page; `darkLabel`: a button's label there */
  kind: 'label' | 'light' | 'dark' | 'darkLabel'
  ink: string
  ground: string
  ratio: number
  enough: boolean
}

/** Where the colour is used, with the contrast of each pair. */
export function colourChecks(colour: string): ColourCheck[] {
  const { dark } = brandTones(colour)
  const pairs = [
    ['label', white, colour],
    ['light', colour, grounds.light],
    ['dark', dark.primary, grounds.dark],
    ['darkLabel', dark['on-primary'], dark.primary],
  ] as const
  return pairs.map(([kind, ink, ground]) => {
    const ratio = contrast(ink, ground)
    return { kind, ink, ground, ratio, enough: ratio >= leastContrast }
  })
}

/** Whether the colour is readable wherever it is used. */
export const isReadableColour = (colour: string): boolean =>
  colourChecks(colour).every(({ enough }) => enough)

const declared = (tones: Tones): string => toneNames.map((name) => `--${name}:${tones[name]}`).join(';')

/** A style sheet that sets the tokens; it must come after tokens.css. */
export function brandSheet(colour: string): string {
  const { light, dark } = brandTones(colour)
  return [
    `:root{${declared(light)}}`,
    `:root[data-theme="dark"]{${declared(dark)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme]){${declared(dark)}}}`,
  ].join('\n')
}
