// A Map for what comes and goes all the time.

/**
 * V8 links the table that a Map has outgrown to the next one. Once an old one has got to the old generation, all that was ever in a later
 * one stays until a major collection, and each minor one copies it: that was a tenth of the time under load. So this begins a new Map
 * whenever it is empty.
 */
export class Register<Key, Value> {
  #map = new Map<Key, Value>()

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value)
  }

  delete(key: Key): void {
    this.#map.delete(key)
    if (this.#map.size === 0) this.#map = new Map()
  }

  values(): Iterable<Value> {
    return this.#map.values()
  }
}
