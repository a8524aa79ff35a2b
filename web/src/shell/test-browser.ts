/** For tests without a browser: stubs what its modules use, above all storage. */

class StorageStub {
  getItem(key: string): string | null {
    return (this as Record<string, unknown>)[key] === undefined
      ? null
      : String((this as Record<string, unknown>)[key])
  }
  setItem(key: string, value: string): void {
    Object.assign(this, { [key]: value })
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  }
}

/** Stubs storage, document and other globals; returns a function that restores them. Call it before imports. */
export function stubBrowser(more: Record<string, unknown> = {}): () => void {
  const stubs = {
    document: { documentElement: { dataset: {} } },
    sessionStorage: new StorageStub(),
    localStorage: new StorageStub(),
    ...more,
  }
  const outside = Object.getOwnPropertyDescriptors(globalThis) as Record<
    string,
    PropertyDescriptor | undefined
  >
  for (const [name, value] of Object.entries(stubs))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return () => {
    for (const name of Object.keys(stubs)) {
      const was = outside[name]
      if (was) Object.defineProperty(globalThis, name, was)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}
