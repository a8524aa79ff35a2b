/**
 * Milliseconds by which the clock is ahead, from the environment variable LATER. Loaded before a test's portal, because
 * a season takes a year; and by the tests themselves, so that all can be run as on another day.
 */
export const later = Number(process.env.LATER ?? 0)
const Real = Date

class Later extends Real {
  constructor(...parts: ConstructorParameters<typeof Date>) {
    if ((parts as unknown[]).length === 0) super(Real.now() + later)
    else super(...parts)
  }

  static override now(): number {
    return Real.now() + later
  }
}

if (later !== 0) globalThis.Date = Later as DateConstructor
