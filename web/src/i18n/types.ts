/** Typed words without generated files: what a text needs is read from the English text itself by the compiler. */

/** Texts of another language: the same keys. (A test compares the {placeholders}.) */
export type Same<Base> = { [K in keyof Base]: Base[K] extends string ? string : Same<Base[K]> };

type Bare<P extends string> = P extends `${infer N}:${string}` ? N : P extends `${infer N}|${string}` ? N : P;
type WithoutPlurals<S extends string> = S extends `${infer A}{{${string}}}${infer B}` ? `${A}${WithoutPlurals<B>}` : S;
type Single<S extends string> = S extends `${string}{${infer P}}${infer R}` ? Bare<P> | Single<R> : never;
type Plural<S extends string> = S extends `${string}{{${infer P}}}${infer R}`
  ? (P extends `${infer N}:${string}` ? N : never) | Plural<R>
  : never;
type Needs<S extends string> = Single<WithoutPlurals<S>> | Plural<S>;

/** A function for every text: `LL.area.costs({ n: 28 })`. */
export type Words<Base> = {
  [K in keyof Base]: Base[K] extends string
    ? [Needs<Base[K]>] extends [never]
      ? () => string
      : (needs: { [N in Needs<Base[K]>]: string | number }) => string
    : Words<Base[K]>;
};
