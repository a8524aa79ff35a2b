declare module 'xliff' {
  interface Xliff {
    resources: Record<string, Record<string, { source: string; target?: string; note?: string }>>
    sourceLanguage: string
    targetLanguage: string
  }
  const xliff: {
    jsToXliff12(words: Xliff): Promise<string>
    xliff12ToJs(file: string): Promise<Xliff>
  }
  export default xliff
}
