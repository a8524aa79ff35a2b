/** Parses the number of a parcel, scanned from its label (`PACKET 17`) or typed; undefined for any other code. */
export function readLabel(scanned: string): number | undefined {
  const [, number] = /^(?:PACKET\s*)?(\d{1,9})$/i.exec(scanned.trim()) ?? []
  return number === undefined ? undefined : Number(number)
}

/** Parses `1.25 kg`, `1250 g`, `1.25` or `1250` to grams; null if empty, undefined if invalid or ambiguous (`2`). */
export function readWeight(typed: string): number | null | undefined {
  const text = typed.trim().toLowerCase().replace(',', '.')
  if (text === '') return null
  const [, number = '', unit] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(kgs?|g|gms?)?$/.exec(text) ?? []
  const bare = unit === undefined
  const kilograms = bare ? number.includes('.') : unit.startsWith('k')
  const grams = Math.round(Number(number) * (kilograms ? 1000 : 1))
  if (bare && !kilograms && grams < 100) return
  return grams >= 1 && grams <= 100_000 ? grams : undefined
}
