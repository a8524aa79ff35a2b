/** What calls refuse with one HTTP status: each reason by its code, with the sentence a person reads. */
export const refusals = <S extends number, C extends string>(status: S, sentences: Record<C, string>) =>
  Object.fromEntries(
    Object.entries(sentences).map(([code, sentence]) => [code, { status, sentence }]),
  ) as Record<C, { readonly status: S; readonly sentence: string }>
