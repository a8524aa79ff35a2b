// Loaded before a portal of the tests, it sets the clock ahead by LATER milliseconds: a season takes a year.

const later = Number(process.env.LATER ?? 0)
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

if (later > 0) globalThis.Date = Later as DateConstructor
