// What is done to a template, drawn by chance: changes of its JSON, its body, its head, and how its end is told.
import fc from 'fast-check'
import { anyValue, keys, methods } from './hostile.ts'
import { addressParts, bytes, headerNames, headerValues, httpMethods, origins } from './hostile-heads.ts'
import type { Framing } from './request.ts'

/** `where` counts round the places that there are, so that every number is one. */
const where = fc.nat(9999)

const inJson = fc.oneof(
  fc.record({ do: fc.constant('replace' as const), where, value: anyValue }),
  fc.record({ do: fc.constant('drop' as const), where }),
  fc.record({ do: fc.constant('rename' as const), where, key: fc.constantFrom(...keys) }),
  fc.record({ do: fc.constant('add' as const), where, key: fc.constantFrom(...keys), value: anyValue }),
  fc.record({ do: fc.constant('repeat' as const), where, value: anyValue }),
  fc.record({ do: fc.constant('wrap' as const), where }),
  fc.record({ do: fc.constant('call' as const), method: fc.constantFrom(...methods) }),
)

const inBody = fc.oneof(
  fc.record({ do: fc.constant('cut' as const), where }),
  fc.record({ do: fc.constant('insert' as const), where, bytes: fc.constantFrom(...bytes) }),
  fc.record({ do: fc.constant('flip' as const), where, bit: fc.nat(7) }),
  fc.record({ do: fc.constant('gzip' as const) }),
  fc.record({ do: fc.constant('empty' as const) }),
)

const inHead = fc.oneof(
  fc.record({
    do: fc.constant('set' as const),
    name: fc.constantFrom(...headerNames),
    value: fc.constantFrom(...headerValues),
  }),
  fc.record({ do: fc.constant('line' as const), value: fc.constantFrom(...headerValues) }),
  fc.record({ do: fc.constant('lose' as const), where }),
  fc.record({ do: fc.constant('method' as const), value: fc.constantFrom(...httpMethods) }),
  fc.record({ do: fc.constant('append' as const), value: fc.constantFrom(...addressParts) }),
  fc.record({ do: fc.constant('segment' as const), where, value: fc.constantFrom(...addressParts) }),
  fc.record({
    do: fc.constant('absolute' as const),
    value: fc.constantFrom(...origins),
  }),
)

const framings: Framing[] = ['chunked', 'broken chunks', 'short', 'long', 'none']

/** A few of them, or none. */
const some = <T>(one: fc.Arbitrary<T>, most: number, { some: with_, none }: { some: number; none: number }) =>
  fc.oneof(
    { weight: with_, arbitrary: fc.array(one, { minLength: 1, maxLength: most }) },
    { weight: none, arbitrary: fc.constant<T[]>([]) },
  )

/** Mostly one or two changes, since a request that is wrong in many places is refused at the first. */
export const anyPlan = fc.record({
  seat: fc.nat(99),
  template: fc.nat(9999),
  pick: fc.nat(999),
  json: some(inJson, 3, { some: 6, none: 3 }),
  head: some(inHead, 2, { some: 2, none: 5 }),
  body: some(inBody, 1, { some: 1, none: 7 }),
  framing: fc.oneof(
    { weight: 15, arbitrary: fc.constant<Framing>('length') },
    { weight: 1, arbitrary: fc.constantFrom(...framings) },
  ),
})

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never
export type Plan = ValueOf<typeof anyPlan>

/** One change, by what it does. */
export type InJson<Do extends string = string> = Extract<ValueOf<typeof inJson>, { do: Do }>
export type InBody = ValueOf<typeof inBody>
export type InHead = ValueOf<typeof inHead>
